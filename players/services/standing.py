"""Deaths and exclusions: what decides whether the next list shows a player (FIDE R&B 2024, 9.1 and 9.2)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db import transaction

from players.models import Federation, FederationExclusion, Player


def mark_deceased(player: Player, *, died_on: date) -> bool:
    """Record the day of a player's death and return whether that changed anything (9.2, D-19)."""
    if player.died_on == died_on:
        return False
    player.died_on = died_on
    player.save(update_fields=["died_on"])
    return True


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
