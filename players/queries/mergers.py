"""FIDE IDs that were merged: which lead on to a player, and whom each leads on to."""

from __future__ import annotations

from collections.abc import Iterable

from core.bulk import ids_subquery
from players.models import Player


def former_ids(player_id: int) -> tuple[int, ...]:
    """Return the FIDE IDs that were merged into a player's, in order."""
    rows = Player.objects.filter(merged_into=player_id).order_by("pk")
    return tuple(rows.values_list("pk", flat=True))


def successors_of(player_ids: Iterable[int]) -> dict[int, int]:
    """Return whom each of some FIDE IDs leads on to, of those alone that were merged."""
    rows = Player.objects.filter(pk__in=ids_subquery(player_ids), merged_into__isnull=False).order_by()
    return {player_id: successor or 0 for player_id, successor in rows.values_list("pk", "merged_into")}
