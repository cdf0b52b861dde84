"""A real Celery worker whose Redis goes away and comes back, and who is handed the same task again."""

from __future__ import annotations

import signal
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings
from django.utils import timezone
from kombu import Connection

from portal.settings.backends import broker_settings
from ratings import runs
from ratings.choices import RunState, Work
from ratings.due_runs import leave_due, make_all_due, names_of_month
from ratings.models import Run
from ratings.tasks import perform
from tests.faults.conftest import NOW, Undisturbed, all_published_once
from tests.faults.world import MONTH
from tests.outbox import let_pass
from tests.processes import celery_worker, environment_of_processes, wait_until
from tests.servers import free_port, redis_server, restartable_redis

TASKS = "tests.portal.worker_tasks"
LOST = "Connection to broker lost"


@pytest.mark.program
@pytest.mark.django_db
def test_worker_whose_task_ends_while_redis_is_away_does_the_next_one(tmp_path: Path) -> None:
    """The acknowledgement is lost; the place that the task had is free again."""
    log = tmp_path / "worker.log"
    with restartable_redis() as redis:
        # As the current one it would take the tasks of all tests after this one to a server that is gone.
        sender = Celery(broker=redis.url, set_as_current=False)
        environment = environment_of_processes() | {"REDIS_URL": redis.url, "PORTAL_VAR_DIR": str(tmp_path)}

        def send(name: str) -> Path:
            folder = tmp_path / name
            folder.mkdir()
            sender.send_task(f"{TASKS}.be_busy", [str(folder)])
            wait_until((folder / "busy").exists, what=f"the task {name}", log=log)
            return folder

        def freeze() -> None:
            redis.process.send_signal(signal.SIGSTOP)

        def thaw() -> None:
            redis.process.send_signal(signal.SIGCONT)

        with celery_worker(environment, log=log, include=TASKS):
            for goes, comes in ((redis.stop, redis.start), (freeze, thaw)):
                lost = log.read_text().count(LOST)
                task = send(goes.__name__)
                goes()
                (task / "done").touch()
                wait_until(lambda before=lost: log.read_text().count(LOST) > before, what="the loss", log=log)
                comes()
                (send(comes.__name__) / "done").touch()


@pytest.mark.program
@pytest.mark.django_db(transaction=True)
def test_redis_stopped_and_started_under_a_worker(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], tmp_path: Path
) -> None:
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    log = tmp_path / "worker.log"
    before = redis_server(port=port)
    before.__enter__()
    with celery_worker(environment_of_processes() | {"REDIS_URL": url}, log=log):
        before.__exit__(None, None, None)
        # What cannot be sent is noted: `test_redis.py`.
        jobs = make_all_due(Work.PUBLISH, names_of_month(MONTH), at=NOW, dispatch=leave_due)
        assert {(run.state, run.attempts) for run in jobs} == {(RunState.DUE, 0)}
        assert "If no worker starts it" in page_of(jobs[0])
        let_pass(Run.objects.all(), timedelta(minutes=1))

        address, options = broker_settings(url, var_dir=settings.VAR_DIR)
        with redis_server(port=port), Connection(address, transport_options=options) as broker:

            def send(run: Run, times: int = 1) -> None:
                for _ in range(times):
                    perform.apply_async((run.work, run.subject), connection=broker)

            runs.sweep(at=timezone.now(), dispatch=lambda run, _at: send(run))
            left = Run.objects.filter(work=Work.PUBLISH).exclude(state=RunState.DONE)
            wait_until(lambda: not left.exists(), what="the work")
            all_published_once(undisturbed)

            done = log.read_text().count("succeeded in")
            send(jobs[0], 3)
            wait_until(lambda: log.read_text().count("succeeded in") >= done + 3, what="the tasks' end")

    all_published_once(undisturbed)
    assert "Nothing to do" in page_of(Run.objects.get(pk=jobs[0].pk))
