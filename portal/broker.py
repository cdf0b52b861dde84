"""The broker of tasks of the embedded portal, files in a folder (ADR 2), and what holds for Redis too."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from typing import Any

import structlog
from kombu.transport import filesystem, virtual

log = structlog.get_logger(__name__)


class Message(virtual.Message):
    """A message whose acknowledgement, if it fails, ends the connection: the worker makes a new one.

    Kombu's own logs the failure, and the place of the task stays taken in the worker.
    """

    def __init__(self, payload: Any, **options: Any) -> None:
        super().__init__(payload, **options)
        # No task of the portal has one, and what is no number ends the worker.
        self.headers.pop("timelimit", None)

    def ack_log_error(self, logger: Any, errors: Any, multiple: bool = False) -> None:
        self.ack(multiple)

    def reject_log_error(self, logger: Any, errors: Any, requeue: bool = False) -> None:
        self.reject(requeue)


@contextmanager
def reject_unreadable(channel: virtual.Channel, lost: type[Exception] = OSError) -> Iterator[None]:
    """Reject and log what is read in this block if it is no task: anybody who reaches the broker can write to it.

    `lost` is the error of a broker that is away, besides `OSError`.
    """
    held = channel.qos._delivered.keys() - channel.qos._dirty
    try:
        yield
    except (Empty, OSError, lost):
        raise
    except Exception:
        log.exception("message_rejected")
        for tag in channel.qos._delivered.keys() - channel.qos._dirty - held:
            channel.basic_reject(tag)
            # The worker may have reserved a place for it, which only a new connection gives back.
            raise ConnectionResetError("message rejected") from None


class Channel(filesystem.Channel):
    """Kombu's file-system channel, whose messages appear whole and stay inside the folder.

    Kombu's own writes a message under its final name, so that a worker may take it half written, and takes it
    by way of the system's folder for temporary files.
    """

    Message = Message

    def _get_and_deliver(self, queue: str, callback: Any) -> None:
        with reject_unreadable(self):
            super()._get_and_deliver(queue, callback)

    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns()}-{uuid.uuid4()}"
        draft = folder / name
        draft.write_text(json.dumps(payload))
        draft.rename(folder / f"{name}.{queue}.msg")

    def _get(self, queue: str) -> Any:
        folder = Path(self.data_folder_in)
        # Names begin with the nanosecond in which a message was sent: this is their order.
        for message in sorted(folder.iterdir()):
            # Drafts and messages that a worker took have other endings.
            if message.name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = message.with_suffix(".taken")
            try:
                # Of several workers one can rename it; the others find it gone.
                message.rename(taken)
            except FileNotFoundError:
                continue
            text = taken.read_text()
            taken.unlink()
            return json.loads(text)
        raise Empty


class Transport(filesystem.Transport):
    """Messages as files, read by the event loop of the worker.

    With a loop each process of the pool has a pipe of its own, as with Redis. Without one they share a lock: a process
    that is killed while it waits for work has it for good, and none of those that replace it gets any.
    """

    Channel = Channel
    connection_errors = (*filesystem.Transport.connection_errors, ConnectionResetError)
    implements = filesystem.Transport.implements.extend(asynchronous=True)

    def register_with_event_loop(self, connection: Any, loop: Any) -> None:
        loop.call_repeatedly(self.polling_interval, self._deliver_all)

    def _deliver_all(self) -> None:
        """Hand over the messages that are there, as many as the worker takes in advance."""
        with suppress(Empty):
            while True:
                self.cycle.get(self._deliver)
