"""Celery tasks: thin, given ids, safe to run twice."""

from __future__ import annotations

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from players.services import notices, webhooks


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def send_notice(notice_id: int) -> None:
    """Send a mail that is due."""
    notices.send(notice_id, at=timezone.now())


@shared_task
def sweep_notices() -> None:
    """Enqueue again the mails that are due and not sent."""
    notices.sweep(at=timezone.now())


@shared_task(autoretry_for=(OperationalError,), retry_backoff=True, max_retries=5)
def send_delivery(delivery_id: int) -> None:
    """Send a delivery of a webhook that is due."""
    webhooks.deliver(delivery_id, at=timezone.now())


@shared_task
def sweep_deliveries() -> None:
    """Enqueue again the deliveries of webhooks that are due and not sent."""
    webhooks.sweep(at=timezone.now())
