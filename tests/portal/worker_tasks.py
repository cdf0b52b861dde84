"""Tasks that a test's worker runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import structlog
from celery import shared_task
from django.contrib.auth import get_user_model

from tests.processes import wait_until

log = structlog.get_logger(__name__)


@shared_task(bind=True)
def invite(task: Any, email: str) -> None:
    """Make an account; the log tells by which task."""
    get_user_model().objects.create_user(email=email)
    log.info("invited", email=email)


@shared_task
def be_busy(folder: str) -> None:
    """Make the file `busy`, and end once there is one `done`."""
    (Path(folder) / "busy").touch()
    wait_until((Path(folder) / "done").exists, what="the end of the task")
