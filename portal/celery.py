"""The Celery application, the log of its tasks, and its broker where the portal is embedded: files in a folder."""

from __future__ import annotations

import json
import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from celery import Celery
from celery.signals import before_task_publish, setup_logging, task_postrun, task_prerun
from kombu.transport import TRANSPORT_ALIASES, filesystem

SCHEME = "portal-files"
LONGEST_WAIT = 0.5


class Channel(filesystem.Channel):
    """Kombu's file-system channel, whose messages appear whole and stay inside the folder.

    Kombu's own writes a message under its final name, so that a worker may take it half written, and takes it
    by way of the system's folder for temporary files.
    """

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns()}-{uuid.uuid4()}"
        draft = folder / name
        draft.write_text(json.dumps(payload))
        draft.rename(folder / f"{name}.{queue}.msg")

    def _get(self, queue: str) -> Any:
        folder = Path(self.data_folder_in)
        for message in sorted(folder.iterdir()):
            if message.name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = message.with_suffix(".taken")
            try:
                message.rename(taken)
            except FileNotFoundError:
                continue
            payload = json.loads(taken.read_text())
            taken.unlink()
            return payload
        raise Empty


class Transport(filesystem.Transport):
    """Messages as files."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None) -> Any:
        """Wait for messages for half a second at most, so that a worker soon sees that it is to stop."""
        return super().drain_events(connection, timeout=min(timeout or LONGEST_WAIT, LONGEST_WAIT))


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

# Broker addresses of the form `portal-files://` name this module.
TRANSPORT_ALIASES[SCHEME] = "portal.celery:Transport"
app = Celery("portal")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def declare_queue() -> None:
    """Make the queue that tasks go to, so that processes which start together find it there."""
    with app.connection_for_write() as connection:
        app.amqp.queues[app.conf.task_default_queue].bind(connection.default_channel).declare()


def follow_tasks() -> None:
    """Bind the id and name of the running Celery task to its log lines, and the request that sent it."""
    before_task_publish.connect(_send_request_id, dispatch_uid="portal.request_id")
    task_prerun.connect(_bind_task, dispatch_uid="portal.task_id")
    task_postrun.connect(_unbind_task, dispatch_uid="portal.task_id")
    # A receiver of this signal keeps Celery from replacing the project's logging by its own.
    setup_logging.connect(_keep_logging, dispatch_uid="portal.logging")


def _send_request_id(headers: dict[str, Any] | None = None, **_: Any) -> None:
    request_id = structlog.contextvars.get_contextvars().get("request_id")
    if headers is not None and request_id:
        headers["request_id"] = request_id


def _bind_task(task_id: str, task: Any, **_: Any) -> None:
    request_id = getattr(task.request, "request_id", None)
    sent_by = {"request_id": request_id} if request_id else {}
    structlog.contextvars.bind_contextvars(task_id=task_id, task=task.name, **sent_by)


def _unbind_task(**_: Any) -> None:
    structlog.contextvars.unbind_contextvars("task_id", "task", "request_id")


def _keep_logging(**_: Any) -> None:
    return
