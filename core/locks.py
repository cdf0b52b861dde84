"""Locks that last until the commit, and what counts as the second click of one person."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection

# The same thing by the same person so soon is the second click of one, or a form sent again by the back button.
SAME_CLICK = timedelta(seconds=30)


def lock_until_commit(number: int) -> None:
    """Wait for other transactions that hold the lock of this number; SQLite has one writer in any case."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def lock_person(person: Any) -> None:
    """Wait for other transactions in which the same person acts."""
    get_user_model()._default_manager.select_for_update().get(pk=person.pk)


def just_now(at: datetime) -> tuple[datetime, datetime]:
    """Return the instants between which a person's second click falls, for `at__range`."""
    return at - SAME_CLICK, at + SAME_CLICK
