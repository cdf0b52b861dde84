"""Celery tasks: thin, safe to run twice. The rooms do the work."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from arenas.days import end_yesterday


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def end_days() -> None:
    """End yesterday in every arena, with the days that were missed."""
    end_yesterday(at=timezone.now())
