from __future__ import annotations

import base64
import copy
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest
import structlog
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from core.workers import send_to_workers
from portal.celery import PULSE, app
from tests.processes import celery_worker, environment_of_processes, wait_until

# The database is cleaned after each test: the worker starts a second time where two processes share these tests.
pytestmark = [pytest.mark.process, pytest.mark.django_db(transaction=True)]

INVITE = "tests.portal.worker_tasks.invite"
TASKS = "tests.portal.worker_tasks"


def invited() -> set[str]:
    return set(get_user_model().objects.values_list("email", flat=True))


def children(process: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker that runs: its process and its log."""

    process: subprocess.Popen[bytes]
    log: Path


def test_worker_of_a_test_does_nothing_that_tests_before_have_sent(request: pytest.FixtureRequest) -> None:
    app.send_task(INVITE, ["a-test-before@portal.example"])
    request.getfixturevalue("process_environment")

    with app.connection_for_read() as broker:
        queue = app.amqp.queues[app.conf.task_default_queue].bind(broker.default_channel)
        assert queue.queue_declare(passive=False).message_count == 0


@pytest.fixture(scope="module")
def worker(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    """Return the worker of most of these tests; it starts after something was sent."""
    log = tmp_path_factory.mktemp("worker") / "log"
    app.control.purge()
    with structlog.contextvars.bound_contextvars(request_id="the-request-id"):
        send_to_workers(INVITE, "before@portal.example")
    with celery_worker(environment_of_processes(), log=log, include=TASKS) as process:
        wait_until(lambda: "email=before" in log.read_text(), what="the first task", log=log)
        yield Worker(process, log)


def does_its_work() -> None:
    """Assert that a task that is sent now is done."""
    app.send_task(INVITE, ["now@portal.example"])
    wait_until(lambda: "now@portal.example" in invited(), what="the task")


def test_worker_logs_the_ids_of_task_and_request(worker: Worker) -> None:
    [line] = [
        line
        for line in worker.log.read_text().splitlines()
        if "event=invited" in line and "email=before" in line
    ]
    assert re.search(r"\btask_id=[0-9a-f-]{36}\b", line)
    assert "request_id=the-request-id" in line


def test_worker_shows_its_pulse_by_a_task_of_its_own(worker: Worker, client: Client) -> None:
    cache.delete(PULSE)
    wait_until(lambda: cache.get(PULSE), what="a pulse", log=worker.log)

    assert cache.get(PULSE) in {path.name for path in (settings.VAR_DIR / "workers").iterdir()}
    assert "portal.tasks.pulse" in worker.log.read_text()
    assert client.get("/health/ready").json()["checks"]["worker"] == "ok"


def test_worker_takes_no_orders_over_the_broker(worker: Worker, process_environment: dict[str, str]) -> None:
    app.control.broadcast("shutdown")
    assert app.control.ping(timeout=2) == []

    does_its_work()
    assert worker.process.poll() is None


def junk() -> Iterator[bytes]:
    """Yield what is no message, and messages in which one thing is not as a worker expects it."""
    yield from (b"", b"no JSON", b"\xff", b"[]", b"{}", b'{"body": 1, "properties": {}}', b"[" * 100_000)
    for path, wrong in (
        (("headers",), None),
        (("headers", "id"), None),
        (("headers", "task"), []),
        (("headers", "timelimit"), ["a", "b"]),
        (("headers", "stamped_headers"), 1),
        (("headers", "argsrepr"), 1),
        (("properties", "delivery_info"), None),
        (("properties", "delivery_tag"), []),
        (("content-encoding",), "x"),
    ):
        message = copy.deepcopy(MESSAGE)
        *outer, last = path
        reduce(getitem, outer, message)[last] = wrong
        yield json.dumps(message).encode()


MESSAGE = {
    "body": base64.b64encode(b'[["junk@portal.example"], {}, {}]').decode(),
    "content-encoding": "utf-8",
    "content-type": "application/json",
    "headers": {"id": "1", "task": INVITE, "lang": "py", "root_id": "1"},
    "properties": {
        "body_encoding": "base64",
        "delivery_info": {"exchange": "", "routing_key": "celery"},
        "delivery_tag": "1",
    },
}


def test_worker_rejects_what_it_cannot_read(worker: Worker, process_environment: dict[str, str]) -> None:
    with app.connection_for_write() as broker:
        channel = broker.default_channel
        for number, text in enumerate(junk()):
            if "postgresql" in os.environ.get("TEST_ON", ""):
                channel.client.lpush("celery", text)
            else:
                (Path(channel.data_folder_out) / f"0-{number}.celery.msg").write_bytes(text)
        does_its_work()

        assert worker.process.poll() is None
        assert "message_rejected" in worker.log.read_text()
        if "postgresql" in os.environ.get("TEST_ON", ""):
            # What stays there comes again with each start of a worker; the last task is acknowledged after its end.
            wait_until(lambda: not channel.client.hlen("unacked"), what="acknowledgements", log=worker.log)


def test_worker_goes_on_after_its_whole_pool_was_killed(
    worker: Worker, process_environment: dict[str, str]
) -> None:
    # Idle: one of them waits where the next message would arrive.
    pool = children(worker.process.pid)
    for process in pool:
        os.kill(process, signal.SIGKILL)

    does_its_work()
    assert pool
    assert not pool & children(worker.process.pid)


@pytest.mark.parametrize(
    "path",
    ["compose.yaml", "deploy/systemd/portal-worker@.service", "portal/management/commands/run_portal.py"],
)
def test_worker_is_started_without_events(path: str) -> None:
    text = (settings.BASE_DIR / path).read_text()

    assert [flag for flag in ("gossip", "mingle", "heartbeat") if f"--without-{flag}" not in text] == []
