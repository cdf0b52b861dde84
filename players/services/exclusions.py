"""Exclusions of federations, which keep players off the next lists (9.1)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import transaction

from core.hooks import Hook
from players.models import Federation, FederationExclusion


class PlayersOfFederation(NamedTuple):
    """Players of a federation on the newest list of a kind: those shown, and those withheld by an exclusion."""

    listed: int
    withheld: int


# What an exclusion of a federation would take off the lists: its players by the kind of the list.
exclusion_foreseen = Hook[[Federation], dict[str, PlayersOfFederation]]()


def preview_exclusion(federation: Federation) -> dict[str, PlayersOfFederation]:
    """Return the players of a federation on the newest lists, by kind.

    Those listed leave the lists while the federation is excluded; those withheld come back when it is readmitted.
    """
    answers = exclusion_foreseen.answers(federation)
    return {kind: number for found in answers for kind, number in found.items()}


def exclude_federation(
    federation: Federation,
    *,
    excluded_from: date,
    until: date | None,
    reference: str = "",
    by: Any,
    at: datetime,
) -> bool:
    """Record an exclusion and return whether that changed anything (9.1, D-15).

    An exclusion from the same day is the same one: it is given its end. `until` is the day of re-admission.
    """
    with transaction.atomic():
        exclusion, is_new = FederationExclusion.objects.get_or_create(
            federation=federation,
            excluded_from=excluded_from,
            defaults={"until": until, "reference": reference, "recorded_by": by, "recorded_at": at},
        )
        if is_new or exclusion.until == until:
            return is_new
        exclusion.until = until
        exclusion.save(update_fields=["until"])
    return True
