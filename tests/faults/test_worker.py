"""A real Celery worker whose Redis goes away and comes back, and who is handed the same task again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from kombu import Connection

from portal.settings.backends import broker_settings
from ratings.choices import RunState, Work
from ratings.models import Run
from ratings.services import runs
from ratings.services.due_runs import leave_due, make_due
from ratings.tasks import publish_month
from tests.faults.conftest import NOW, Undisturbed, all_published_once
from tests.faults.world import MONTH
from tests.processes import celery_worker, environment_of_processes, wait_until
from tests.servers import free_port, redis_server


@pytest.mark.program
@pytest.mark.django_db(transaction=True)
def test_redis_stopped_and_started_under_a_worker(
    undisturbed: Undisturbed, page_of: Callable[[Run], str], tmp_path: Path
) -> None:
    port = free_port()
    url = f"redis://127.0.0.1:{port}/0"
    log = tmp_path / "worker.log"
    month = MONTH.isoformat()
    before = redis_server(port=port)
    before.__enter__()
    with celery_worker(environment_of_processes() | {"REDIS_URL": url}, log=log):
        before.__exit__(None, None, None)
        # What cannot be sent is noted: `test_redis.py`.
        run = make_due(Work.PUBLISH, month, at=NOW, dispatch=leave_due)
        assert (run.state, run.attempts) == (RunState.DUE, 0)
        assert "If no worker starts it" in page_of(run)

        address, options = broker_settings(url, var_dir=settings.VAR_DIR)
        with redis_server(port=port), Connection(address, transport_options=options) as broker:

            def send(times: int) -> None:
                for _ in range(times):
                    publish_month.apply_async((month,), connection=broker)

            runs.sweep(at=timezone.now(), dispatch=lambda _run, _at: send(1))
            wait_until(lambda: Run.objects.get(pk=run.pk).state == RunState.DONE, what="the work")
            all_published_once(undisturbed)

            done = log.read_text().count("succeeded in")
            send(3)
            wait_until(lambda: log.read_text().count("succeeded in") >= done + 3, what="the tasks' end")

    all_published_once(undisturbed)
    assert "Nothing to do" in page_of(Run.objects.get(pk=run.pk))
