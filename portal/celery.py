"""The Celery application, and the log of its tasks."""

from __future__ import annotations

import os
import warnings
from contextlib import suppress
from datetime import timedelta
from importlib import import_module
from typing import Any

import structlog
from celery import Celery, bootsteps
from celery.beat import Scheduler
from celery.signals import setup_logging, task_postrun, task_prerun, worker_init
from celery.utils.nodenames import worker_direct
from celery.worker.state import active_requests
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from kombu.transport import TRANSPORT_ALIASES

from core.workers import send_to_workers
from portal.presence import show_presence

log = structlog.get_logger(__name__)
SCHEME = "portal-files"
PULSE, PULSE_SECONDS, PULSE_COUNTS_SECONDS = "pulse", 20, 180
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

# The transports of addresses such as `portal-files://` and `redis://`.
TRANSPORT_ALIASES |= {SCHEME: "portal.broker:Transport"} | dict.fromkeys(
    ("redis", "rediss"), "portal.redis_broker:Transport"
)
# Tasks are JSON, and the units have a user: the advice would stand below the accounts that `make run` prints for root.
warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class Pulse(bootsteps.StartStopStep):
    """Gives a worker a task of its own, over the broker, and shows its pulse while it does that or other tasks."""

    def start(self, parent: Any) -> None:
        def beat() -> None:
            if active_requests:
                show_pulse(parent.hostname)
            else:
                own = {"queue": worker_direct(parent.hostname), "expires": PULSE_SECONDS}
                send_to_workers("portal.tasks.pulse", parent.hostname, **own)

        beat()
        self.timer = parent.timer.call_repeatedly(PULSE_SECONDS, beat)

    def stop(self, parent: Any) -> None:
        self.timer.cancel()


def show_pulse(worker: str) -> None:
    """Touch `workers/NAME` under `PORTAL_VAR_DIR`, for a check of this worker, and tell all machines in the cache.

    Nobody can ask a worker over the broker, where others might give it orders.
    """
    path = settings.VAR_DIR / "workers" / worker
    # Celery would take a full disk for a lost broker, and connect again without a pause.
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    # That of a worker for webhooks proves nothing of the work that the portal waits for.
    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        cache.set(PULSE, worker, PULSE_COUNTS_SECONDS)


app.steps["consumer"].add(Pulse)


# A task of the schedule that was sent and is not begun yet; a message that the broker lost is missed so long at most.
WAITING_SECONDS = 600
# Digests go out once a week; nothing is rarer.
LONGEST_INTERVAL = timedelta(days=7)


def waiting_key(task: str) -> str:
    return f"scheduled:{task}"


class Schedule(Scheduler):
    """Beat's schedule, in memory alone; it sends no task twice that no worker takes.

    A start sends each task once: what was missed is made up for, and tasks find nothing to do where nothing was.
    """

    def setup_schedule(self) -> None:
        super().setup_schedule()
        for entry in self.schedule.values():
            entry.last_run_at = self.app.now() - LONGEST_INTERVAL

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        # A cache that is away answers yes: a task that is sent twice does no harm (ADR 2), one that is not sent does.
        if cache.add(waiting_key(entry.task), 1, WAITING_SECONDS):
            super().apply_entry(entry, producer=producer)

    def sync(self) -> None:
        """Touch the file by which health checks see that beat runs; the library calls it every 3 minutes."""
        with suppress(OSError):
            (settings.VAR_DIR / "beat").touch()


def declare_queue() -> None:
    """Make the queue that tasks go to, so that processes which start together find it there."""
    with app.connection_for_write() as connection:
        app.amqp.queues[app.conf.task_default_queue].bind(connection.default_channel).declare()


def follow_tasks() -> None:
    """Bind the id and name of the running Celery task to its log lines, and the request that sent it."""
    task_prerun.connect(_bind_task, dispatch_uid="portal.task_id")
    task_postrun.connect(_unbind_task, dispatch_uid="portal.task_id")
    worker_init.connect(_tell_other_keys, dispatch_uid="portal.other_keys")
    # A receiver of this signal keeps Celery from replacing the project's logging by its own.
    setup_logging.connect(_keep_logging, dispatch_uid="portal.logging")


def _bind_task(task_id: str, task: Any, **_: Any) -> None:
    request_id = getattr(task.request, "request_id", None)
    sent_by = {"request_id": request_id} if request_id else {}
    structlog.contextvars.bind_contextvars(task_id=task_id, task=task.name, **sent_by)
    if any(entry["task"] == task.name for entry in settings.CELERY_BEAT_SCHEDULE.values()):
        # It waits no longer: the next one of the schedule may be sent.
        cache.delete(waiting_key(task.name))


def _unbind_task(**_: Any) -> None:
    structlog.contextvars.unbind_contextvars("task_id", "task", "request_id")


def _tell_other_keys(**_: Any) -> None:
    # The models are there once the worker starts, not when this module is read.
    import_module("portal.keys").tell_other_keys()
    show_presence(settings.VAR_DIR, "worker")
    # The processes of the pool are copies of this one, and cannot share its connection to the database.
    connections.close_all()


def _keep_logging(**_: Any) -> None:
    return
