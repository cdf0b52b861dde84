from __future__ import annotations

import os
import re
import signal
from pathlib import Path

import pytest
import structlog
from django.conf import settings
from django.contrib.auth import get_user_model

from core.work import send_to_workers
from portal.celery import app
from tests.processes import celery_worker, kill_at_once, wait_until

INVITE = "tests.portal.worker_tasks.invite"
TASKS = "tests.portal.worker_tasks"


def invited() -> set[str]:
    return set(get_user_model().objects.values_list("email", flat=True))


def children(process: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()}


def test_worker_does_what_was_sent_and_logs_its_id(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "worker.log"
    with structlog.contextvars.bound_contextvars(request_id="the-request-id"):
        send_to_workers(INVITE, "before@portal.example")

    with celery_worker(process_environment, log=log, include=TASKS):
        app.send_task(INVITE, ["after@portal.example"])
        wait_until(lambda: invited() == {"before@portal.example", "after@portal.example"})

    [line] = [
        line for line in log.read_text().splitlines() if "event=invited" in line and "email=before" in line
    ]
    assert re.search(r"\btask_id=[0-9a-f-]{36}\b", line)
    assert "request_id=the-request-id" in line


def test_worker_of_a_test_does_nothing_that_tests_before_have_sent(request: pytest.FixtureRequest) -> None:
    app.send_task(INVITE, ["a-test-before@portal.example"])
    request.getfixturevalue("process_environment")

    with app.connection_for_read() as broker:
        queue = app.amqp.queues[app.conf.task_default_queue].bind(broker.default_channel)
        assert queue.queue_declare(passive=False).message_count == 0


def test_what_is_sent_while_no_worker_lives_waits_for_the_next(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    with celery_worker(process_environment, log=tmp_path / "first.log", include=TASKS) as first:
        kill_at_once(first)
    app.send_task(INVITE, ["patient@portal.example"])

    with celery_worker(process_environment, log=tmp_path / "second.log", include=TASKS):
        wait_until(lambda: invited() == {"patient@portal.example"})


def test_worker_goes_on_after_its_whole_pool_was_killed(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    with celery_worker(process_environment, log=tmp_path / "worker.log", include=TASKS) as worker:
        app.send_task(INVITE, ["before@portal.example"])
        wait_until(lambda: invited() == {"before@portal.example"})
        # Idle: one of them waits where the next message would arrive.
        pool = children(worker.pid)
        for process in pool:
            os.kill(process, signal.SIGKILL)
        app.send_task(INVITE, ["after@portal.example"])

        wait_until(lambda: "after@portal.example" in invited(), seconds=60)
        assert pool
        assert not pool & children(worker.pid)


def test_worker_takes_no_orders_over_the_broker(process_environment: dict[str, str], tmp_path: Path) -> None:
    with celery_worker(process_environment, log=tmp_path / "worker.log", include=TASKS) as worker:
        app.control.broadcast("shutdown")
        assert app.control.ping(timeout=2) == []
        app.send_task(INVITE, ["after@portal.example"])
        wait_until(lambda: "after@portal.example" in invited())
        assert worker.poll() is None


@pytest.mark.skipif("postgresql" not in os.environ.get("TEST_ON", ""), reason="others write to Redis")
def test_worker_goes_on_after_what_is_no_message(process_environment: dict[str, str], tmp_path: Path) -> None:
    queue, log = app.conf.task_default_queue, tmp_path / "worker.log"
    with celery_worker(process_environment, log=log, include=TASKS) as worker:
        with app.connection_for_write() as broker:
            for text in (b"no JSON", b"\xff", b"[]", b"{}", b'{"body": 1, "properties": {}}'):
                broker.default_channel.client.lpush(queue, text)
        app.send_task(INVITE, ["after@portal.example"])
        wait_until(lambda: "after@portal.example" in invited() or worker.poll() is not None)

        assert (worker.poll(), invited()) == (None, {"after@portal.example"})
    assert log.read_text().count("message cannot be read") == 5


def test_worker_works_where_its_pulse_cannot_be_written(
    process_environment: dict[str, str], tmp_path: Path
) -> None:
    (settings.VAR_DIR / "workers").mkdir(exist_ok=True)
    (settings.VAR_DIR / "workers").rename(tmp_path / "workers")
    (settings.VAR_DIR / "workers").write_text("no folder")
    try:
        with celery_worker(process_environment, log=tmp_path / "worker.log", include=TASKS):
            app.send_task(INVITE, ["after@portal.example"])
            wait_until(lambda: invited() == {"after@portal.example"})
    finally:
        (settings.VAR_DIR / "workers").unlink()
        (tmp_path / "workers").rename(settings.VAR_DIR / "workers")


def test_worker_shows_its_pulse(process_environment: dict[str, str], tmp_path: Path) -> None:
    folder = settings.VAR_DIR / "workers"
    before = {path.name for path in folder.glob("*")}

    with celery_worker(process_environment, log=tmp_path / "worker.log"):
        [name] = {path.name for path in folder.glob("*")} - before

    assert name.startswith(f"test-{os.getpid()}-")


@pytest.mark.parametrize(
    "path",
    ["compose.yaml", "deploy/systemd/portal-worker@.service", "portal/management/commands/run_portal.py"],
)
def test_worker_is_started_without_events(path: str) -> None:
    text = (settings.BASE_DIR / path).read_text()

    assert [flag for flag in ("gossip", "mingle", "heartbeat") if f"--without-{flag}" not in text] == []
