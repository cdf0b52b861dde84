"""Locks that last until the commit."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection


def lock_until_commit(number: int) -> None:
    """Wait for other transactions that hold the lock of this number; SQLite has one writer in any case."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def lock_person(person: Any) -> None:
    """Wait for other transactions in which the same person acts."""
    get_user_model()._default_manager.select_for_update().get(pk=person.pk)
