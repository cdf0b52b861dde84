"""What Redis answers while it starts or gives its place to another one counts as a lost connection."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.cache import caches
from django.test import override_settings
from kombu import Connection
from redis import Redis
from redis.exceptions import RedisError

from portal.redis_broker import Transport
from portal.settings.backends import broker_settings, cache_settings
from tests.processes import wait_until
from tests.servers import redis_server

ANSWERS = (
    "LOADING Redis is loading the dataset in memory",
    "READONLY You can't write against a read only replica.",
    "CLUSTERDOWN The cluster is down",
    "UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)",
)
# After these a worker connects again (`CELERY_BROKER_CHANNEL_ERROR_RETRY`).
RESTARTING = (*Transport.connection_errors, *Transport.channel_errors)


@contextmanager
def redis_that_says(answer: str) -> Iterator[str]:
    """Run a server that gives one answer to each command; yield its address."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            while sent := self.request.recv(65536):
                self.request.sendall(f"-{answer}\r\n".encode() * max(1, sent.count(b"*")))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"redis://127.0.0.1:{server.server_address[1]}/0"
        server.shutdown()


@pytest.mark.slow
@pytest.mark.parametrize("answer", ANSWERS[:-1], ids=lambda answer: answer.split()[0])
def test_a_worker_takes_the_answer_for_a_lost_connection(answer: str) -> None:
    with redis_that_says(answer) as url, Redis.from_url(url) as client, pytest.raises(RedisError) as raised:
        client.execute_command("BRPOP", "celery", 1)

    assert isinstance(raised.value, RESTARTING)


@pytest.mark.program
def test_a_worker_that_is_let_go_while_it_waits_for_work_connects_again(tmp_path: Path) -> None:
    """A server that becomes a replica does so; `CLIENT UNBLOCK` gives the same answer."""
    with redis_server() as url, Redis.from_url(url) as server, ThreadPoolExecutor(1) as pool:
        address, options = broker_settings(url, var_dir=tmp_path)
        with Connection(address, transport_options=options) as broker:
            broker.channel().basic_consume("celery", no_ack=True, callback=print, consumer_tag="a")
            waits = pool.submit(broker.drain_events, timeout=60)
            wait_until(lambda: bool(blocked(server)), what="a worker that waits")
            server.execute_command("CLIENT", "UNBLOCK", blocked(server)[0], "ERROR")
            with pytest.raises(RESTARTING, match="UNBLOCKED"):
                waits.result()


def blocked(server: Redis) -> list[str]:
    """Return the numbers of the connections that wait for work."""
    return [one["id"] for one in server.client_list() if one["cmd"] == "brpop"]


@pytest.mark.slow
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.split()[0])
def test_a_page_goes_on_as_with_an_empty_cache(answer: str, tmp_path: Path) -> None:
    with redis_that_says(answer) as url, override_settings(CACHES=cache_settings(url, var_dir=tmp_path)):
        caches["default"].set("key", 1)
        assert caches["default"].get("key", "missing") == "missing"
