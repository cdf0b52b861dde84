"""Tasks sent to the workers over the broker."""

from __future__ import annotations

import time
from typing import Any

import structlog
from celery import current_app
from kombu.exceptions import OperationalError as NotSentError
from structlog.contextvars import get_contextvars

log = structlog.get_logger(__name__)
# Whoever commits does not wait for each message to a broker that does not answer.
BROKER_AWAY_SECONDS = 5.0
_asked_again_at = 0.0


def _broker_errors() -> tuple[type[Exception], ...]:
    """Return what the client of the broker raises beside `NotSentError`: that of Redis has errors of its own."""
    connection = current_app.connection_for_write()
    return (*connection.connection_errors, *connection.channel_errors)


def send_to_workers(task: str, *arguments: Any, **options: Any) -> None:
    """Send a task to the workers, whose log names the request. A sweep finds what the broker loses."""
    global _asked_again_at
    if time.monotonic() < _asked_again_at:
        return
    request = {key: value for key, value in get_contextvars().items() if key == "request_id"}
    try:
        current_app.send_task(task, args=arguments, headers=request, retry=False, **options)
    except (NotSentError, OSError, *_broker_errors()):
        log.warning("broker_away", task=task, exc_info=True)
        _asked_again_at = time.monotonic() + BROKER_AWAY_SECONDS
