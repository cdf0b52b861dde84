"""Celery tasks of the portal itself."""

from __future__ import annotations

import io

from celery import shared_task
from django.core.management import call_command


@shared_task
def retention() -> None:
    """Remove what has had its time."""
    call_command("retention", stdout=io.StringIO())
