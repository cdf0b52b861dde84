"""The federations known from the start, and their exclusions, which keep players off the next lists (9.1)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, transaction

from core.hooks import Hook
from players.models import Federation, FederationExclusion
from players.models.federation import known_federations


def load_federations(*, using: str = DEFAULT_DB_ALIAS) -> list[str]:
    """Create the federations that are missing and return their codes; those that are there stay as they are."""
    known = set(Federation.objects.using(using).values_list("code", flat=True))
    missing = [federation for federation in _federations() if federation.code not in known]
    if missing:
        Federation.objects.using(using).bulk_create(missing, ignore_conflicts=True)
    return [federation.code for federation in missing]


def _federations() -> list[Federation]:
    rows = ({**row, "is_member": row["is_member"] == "true"} for row in known_federations().values())
    return [Federation(**{name: row[name] for name in row if name != "territory"}) for row in rows]


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
