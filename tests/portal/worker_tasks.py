"""Tasks that a test's worker runs."""

from __future__ import annotations

from typing import Any

import structlog
from celery import shared_task
from django.contrib.auth import get_user_model

log = structlog.get_logger(__name__)


@shared_task(bind=True)
def invite(task: Any, email: str) -> None:
    """Make an account; the log tells by which task."""
    get_user_model().objects.create_user(email=email)
    log.info("invited", email=email)
