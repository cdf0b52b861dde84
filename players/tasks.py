"""Celery tasks: thin, given ids, safe to run twice. What fails waits in its row for the sweep, not in a message."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from players import notices, webhooks


@shared_task
def send_notice(notice_id: int) -> None:
    """Send a mail that is due."""
    notices.send(notice_id, at=timezone.now())


@shared_task
def send_delivery(delivery_id: int) -> None:
    """Send a delivery of a webhook that is due."""
    webhooks.deliver(delivery_id, at=timezone.now())
