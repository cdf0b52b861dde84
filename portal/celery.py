"""The Celery application, and its broker where the portal is embedded: messages are files in a folder."""

from __future__ import annotations

import json
import os
import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from celery import Celery
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
