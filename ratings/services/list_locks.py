"""Locks of the lists, by which publications, imports and corrections wait for each other (D-104)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models.signals import pre_save
from django.dispatch import receiver

from core.sql import lock_until_commit
from players.models import Federation, FederationExclusion
from ratings.choices import PUBLISHED_KINDS, ListKind

# The letters RATE, so that no other lock has the number.
LISTS = 0x52415445
# The fields of federations and exclusions that say whose players are listed (9.1).
WHO_IS_LISTED = {"is_member", "listing_reference", "until"}


def lock_lists() -> None:
    """Lock the lists of all kinds until the end of the transaction."""
    lock_until_commit(LISTS)


def lock_kind(kind: str, *, waits: bool) -> bool:
    """Lock the lists of a kind for publishing and importing until the end of the transaction.

    Return False if another process has the lock and the caller does not wait.
    """
    # SQLite has one writer in any case.
    if connection.vendor != "postgresql":
        return True
    place = ListKind.values.index(kind)
    with connection.cursor() as cursor:
        if not waits:
            free = "SELECT pg_try_advisory_xact_lock_shared(%s) AND pg_try_advisory_xact_lock(%s, %s)"
            cursor.execute(free, [LISTS, LISTS, place])
            return bool(cursor.fetchone()[0])
        # Shared: the kinds go on side by side, and only `lock_lists` keeps all of them out.
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LISTS])
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LISTS, place])
    return True


def lock_kinds(kinds: Iterable[str]) -> None:
    """Lock the lists of some kinds as a publication does, to the end of the transaction; always in one order."""
    for kind in sorted(set(kinds)):
        lock_kind(kind, waits=True)


@receiver(pre_save, sender=FederationExclusion)
@receiver(pre_save, sender=Federation)
def wait_for_publications(update_fields: frozenset[str] | None = None, **kwargs: Any) -> None:
    """Let a change of whose players are listed wait for publications, which read that more than once (D-104)."""
    if update_fields is None or update_fields & WHO_IS_LISTED:
        lock_kinds(PUBLISHED_KINDS)
