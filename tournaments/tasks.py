"""Celery tasks: thin, safe to run twice."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from tournaments import reminders


# The database may be restarting. A second run finds the mails of the first one by their keys.
@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def remind_of_deadlines() -> None:
    """Send the day's emails on deadlines."""
    reminders.remind(at=timezone.now())


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def send_digests() -> None:
    reminders.send_digests(at=timezone.now())
