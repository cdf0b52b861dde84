"""A real Celery worker whose Redis goes away and comes back, and who is handed the same task again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings

from ratings.choices import RunState, Work
from ratings.models import Run
from tests.faults.conftest import Undisturbed, all_published_once
from tests.faults.world import MONTH
from tests.processes import celery_worker, environment_of_processes, wait_until
from tests.servers import free_port, redis_server

NOTE = """
from datetime import UTC, datetime
from django.db import transaction
from ratings.services import due_runs
with transaction.atomic():
    due_runs.make_due("publish", "{month}", at=datetime(2026, 2, 1, 0, 10, tzinfo=UTC))
"""
SWEEP = """
from django.utils import timezone
from ratings.services import runs
runs.sweep(at=timezone.now())
"""
AGAIN = """
from ratings.tasks import publish_month
for _ in range(3):
    publish_month.delay("{month}")
"""


def in_a_process(code: str, environment: dict[str, str]) -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "shell", "--no-imports", "-c", code]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.django_db(transaction=True)
def test_redis_stopped_and_started_under_a_worker(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], tmp_path: Path
) -> None:
    port = free_port()
    environment = environment_of_processes() | {"REDIS_URL": f"redis://127.0.0.1:{port}/0"}
    log = tmp_path / "worker.log"
    run = Run.objects.get(work=Work.PUBLISH)
    before = redis_server(port=port)
    before.__enter__()
    with celery_worker(environment, log=log):
        before.__exit__(None, None, None)
        in_a_process(NOTE.format(month=MONTH), environment)
        run.refresh_from_db()
        assert (run.state, run.attempts) == (RunState.DUE, 0)
        assert "If no worker starts it" in page_of(run)

        with redis_server(port=port):
            in_a_process(SWEEP, environment)
            wait_until(lambda: Run.objects.get(pk=run.pk).state == RunState.DONE, what="the work")
            all_published_once(undisturbed)

            done = log.read_text().count("succeeded in")
            in_a_process(AGAIN.format(month=MONTH), environment)
            wait_until(lambda: log.read_text().count("succeeded in") >= done + 3, what="the tasks' end")

    all_published_once(undisturbed)
    assert "Nothing to do" in page_of(Run.objects.get(pk=run.pk))
