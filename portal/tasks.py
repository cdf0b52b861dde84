"""Celery tasks of the portal itself."""

from __future__ import annotations

import io

import structlog
from celery import shared_task
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone

from players import notices, webhooks
from portal.celery import show_pulse
from ratings import runs

# When the last sweep ended, for those who watch: nothing is decided by it.
SWEPT = "swept"
log = structlog.get_logger(__name__)


@shared_task
def retention() -> None:
    """Remove what has had its time."""
    call_command("retention", stdout=io.StringIO())


@shared_task
def pulse(worker: str) -> None:
    """Show that this worker does what it is sent."""
    show_pulse(worker)


@shared_task
def sweep() -> None:
    """Send to the workers again what is due and not done: jobs, emails, deliveries."""
    now = timezone.now()
    errors = []
    # One that fails must not keep the others from their work.
    for each in (lambda: runs.sweep(at=now), lambda: notices.sweep(at=now), webhooks.sweep):
        try:
            each()
        except Exception as error:
            log.exception("sweep_failed")
            errors.append(error)
    if errors:
        raise errors[0]
    cache.set(SWEPT, timezone.now().timestamp(), None)
