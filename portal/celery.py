"""The Celery application, and the log of its tasks."""

from __future__ import annotations

import os
from typing import Any

import structlog
from celery import Celery
from celery.signals import setup_logging, task_postrun, task_prerun
from kombu.transport import TRANSPORT_ALIASES

SCHEME = "portal-files"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

# The transport of addresses such as `portal-files://`.
TRANSPORT_ALIASES[SCHEME] = "portal.backends:Transport"
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def declare_queue() -> None:
    """Make the queue that tasks go to, so that processes which start together find it there."""
    with app.connection_for_write() as connection:
        app.amqp.queues[app.conf.task_default_queue].bind(connection.default_channel).declare()


def follow_tasks() -> None:
    """Bind the id and name of the running Celery task to its log lines, and the request that sent it."""
    task_prerun.connect(_bind_task, dispatch_uid="portal.task_id")
    task_postrun.connect(_unbind_task, dispatch_uid="portal.task_id")
    # A receiver of this signal keeps Celery from replacing the project's logging by its own.
    setup_logging.connect(_keep_logging, dispatch_uid="portal.logging")


def _bind_task(task_id: str, task: Any, **_: Any) -> None:
    request_id = getattr(task.request, "request_id", None)
    sent_by = {"request_id": request_id} if request_id else {}
    structlog.contextvars.bind_contextvars(task_id=task_id, task=task.name, **sent_by)


def _unbind_task(**_: Any) -> None:
    structlog.contextvars.unbind_contextvars("task_id", "task", "request_id")


def _keep_logging(**_: Any) -> None:
    return
