"""Redis away: pages are slower, nothing is lost, and what was due is done when it is back."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

import pytest
import redis
import time_machine
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client, override_settings
from kombu import Connection

from players.choices import NoticeState
from players.models import Notice
from portal.celery import app as celery_app
from portal.settings.backends import cache_settings
from ratings import runs
from ratings.choices import RunState
from ratings.models import Run
from tests import make
from tests.conftest import NOW
from tests.faults.conftest import LATER
from tests.outbox import let_pass
from tests.processes import environment_of_processes
from tests.servers import redis_server

# Each has a Redis of its own; the database changes nothing in what happens without it.
pytestmark = pytest.mark.program
AWAY = "redis://127.0.0.1:9/0"


@pytest.fixture(autouse=True)
def no_counts_of_other_tests() -> None:
    """Forget what this process counted while another test's Redis was away."""
    LocMemCache("calls", {}).clear()


@pytest.mark.parametrize(
    "page", ["/", "/lists/", "/api/v1/lists", "/api/v1/publications", "/accounts/login/", "/health/live"]
)
def test_pages_are_answered_while_redis_is_away(db: None, page: str) -> None:
    with override_settings(CACHES=cache_settings(AWAY, var_dir=settings.VAR_DIR)):
        answer = Client().get(page)

    assert answer.status_code == 200


def test_cache_comes_back_with_redis(db: None) -> None:
    with redis_server() as url, override_settings(CACHES=cache_settings(url, var_dir=settings.VAR_DIR)):
        caches["default"].set("key", 1)
        assert (caches["default"].get("key"), caches["default"].incr("key")) == (1, 2)


POSTED_AND_NOTED = """
from datetime import UTC, datetime
from django.contrib.auth import get_user_model
from django.db import transaction
from players.choices import NoticeKind
from players import notices
from ratings.choices import Work
from ratings import due_runs
with transaction.atomic():
    readers = get_user_model().objects.all()
    words = {"subject": "Reminder", "text": "The report is missing."}
    notices.post(to=readers, kind=NoticeKind.DEADLINE, key="away", at=datetime(2026, 2, 1, tzinfo=UTC), **words)
    due_runs.make_due(Work.PUBLISH, "rapid 2026-03-02", at=datetime(2026, 2, 1, 0, 10, tzinfo=UTC))
"""


@pytest.mark.parametrize("trouble", ["full", "other type", "no number"])
def test_what_redis_refuses_is_a_miss_and_limits_hold(trouble: str, client: Client, db: None) -> None:
    """Whoever writes in Redis, or fills it, breaks no page and opens no sign-in to guessing."""
    login = f"{trouble.replace(' ', '-')}@chess.example"
    few = settings.ACCOUNT_RATE_LIMITS | {"login": "6/m/ip"}
    with (
        redis_server() as url,
        override_settings(CACHES=cache_settings(url, var_dir=settings.VAR_DIR), ACCOUNT_RATE_LIMITS=few),
    ):
        server = redis.Redis.from_url(url)
        if trouble == "full":
            server.config_set("maxmemory-policy", "noeviction")
            server.config_set("maxmemory", "1")
        key = caches["default"].make_key(f"api:{login}")
        if trouble == "other type":
            server.rpush(key, "x")
        if trouble == "no number":
            server.set(key, '{"a": 1}')
        server.close()
        sent = {"login": login, "password": "wrong"}
        with time_machine.travel(NOW, tick=False):
            answers = [client.post("/accounts/login/", sent).status_code for _ in range(8)]
        pages = [client.get(page).status_code for page in ("/", "/lists/", "/search?q=a")]

    assert (answers[0], answers[-1], set(answers), pages) == (200, 429, {200, 429}, [200] * 3)


def test_a_lock_that_a_full_redis_does_not_take_is_free_once_it_is_given_back() -> None:
    """Each check of a report takes one, and is refused where it is taken."""
    with (
        redis_server(maxmemory="1") as url,
        override_settings(CACHES=cache_settings(url, var_dir=settings.VAR_DIR)),
    ):
        cache, lock = caches["default"], "api:heavy:a"
        taken = [cache.add(lock, True, 10), cache.add(lock, True, 10)]
        cache.delete(lock)

        assert (taken, cache.add(lock, True, 10)) == ([True, False], True)


def test_entry_of_an_earlier_release_is_a_miss() -> None:
    with redis_server() as url, override_settings(CACHES=cache_settings(url, var_dir=settings.VAR_DIR)):
        cache = caches["default"]
        cache.set("new", 1)
        with redis.Redis.from_url(url) as server:
            server.set(cache.make_key("old"), b"\x80\x05old")

        assert (cache.get_many(["old", "new"]), cache.get("old", "none")) == ({"new": 1}, "none")


@pytest.mark.django_db(transaction=True)
def test_work_and_mail_while_redis_is_away_are_handed_over_later() -> None:
    make.user()
    command = [
        sys.executable,
        str(settings.BASE_DIR / "manage.py"),
        "shell",
        "--no-imports",
        "-c",
        POSTED_AND_NOTED,
    ]

    done = subprocess.run(
        command,
        env=environment_of_processes() | {"REDIS_URL": AWAY},
        check=False,
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    notice, run = Notice.objects.get(), Run.objects.get()
    assert (notice.state, notice.attempts) == (NoticeState.DUE, 0)
    assert (run.state, run.attempts) == (RunState.DUE, 0)
    let_pass(Run.objects.all(), timedelta(minutes=1))
    assert [found.pk for found in runs.sweep(at=LATER)] == [run.pk]


@contextmanager
def frozen_redis() -> Iterator[tuple[str, list[float]]]:
    """Yield the address of a server that takes connections and says nothing, and when they came."""
    came: list[float] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = []

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])
                    came.append(time.monotonic())

        threading.Thread(target=take, daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0", came
        for one in taken:
            one.close()


def test_a_frozen_redis_is_asked_twice_and_then_left_alone() -> None:
    with (
        frozen_redis() as (url, came),
        override_settings(CACHES=cache_settings(url, var_dir=settings.VAR_DIR)),
    ):
        found = [caches[name].get("key", "none") for name in ("default", "pages") for _ in range(100)]
        counted = [caches["default"].add("api:key", 1), caches["default"].incr("api:key")]

    assert (set(found), counted, len(came)) == ({"none"}, [True, 2], 2)


def test_a_redis_that_gives_its_place_to_another_one_is_a_lost_connection() -> None:
    with redis_server() as url, Connection(url) as broker, redis.Redis.from_url(url) as server:
        server.replicaof("127.0.0.1", "9")
        with pytest.raises((*broker.connection_errors, *broker.channel_errors)):
            broker.SimpleQueue("sweep").put("x")

    assert celery_app.conf.broker_channel_error_retry
