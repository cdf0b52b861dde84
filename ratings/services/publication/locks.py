"""Who may write lists at a time: one import, or one publication of each kind. SQLite has one writer anyway."""

from __future__ import annotations

from django.db import connection

from ratings.choices import ListKind

LISTS = 0x52415445


def lock_lists() -> None:
    """Let nobody else write a list of any kind, to the end of the transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LISTS])


def lock_kind(kind: str, *, waits: bool) -> bool:
    """Let nobody else publish a list of the kind, or import one, to the end of the transaction.

    False where somebody is at it and the caller does not wait.
    """
    if connection.vendor != "postgresql":
        return True
    place = ListKind.values.index(kind)
    with connection.cursor() as cursor:
        if not waits:
            free = "SELECT pg_try_advisory_xact_lock_shared(%s) AND pg_try_advisory_xact_lock(%s, %s)"
            cursor.execute(free, [LISTS, LISTS, place])
            return bool(cursor.fetchone()[0])
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LISTS])
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LISTS, place])
    return True
