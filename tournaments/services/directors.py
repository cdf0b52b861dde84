"""The arbiters of a tournament by FIDE ID: written with its registration, and changed with it."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.models import Tournament, TournamentArbiter
from tournaments.queries.audit_sources import ARBITERS


def arbiter_rows(
    tournament: Tournament, chief: int | None, deputies: Sequence[int]
) -> list[TournamentArbiter]:
    """Return the arbiters of a tournament by FIDE ID, not written yet: the chief first, each once."""
    ids = dict.fromkeys([*([chief] if chief else []), *deputies])
    return [
        TournamentArbiter(tournament=tournament, player_id=fide_id, is_chief=fide_id == chief, place=place)
        for place, fide_id in enumerate(ids)
    ]


def change_arbiters(
    tournament: Tournament, chief: int | None, deputies: Sequence[int]
) -> dict[str, str] | None:
    """Write other arbiters of a tournament and return the change for its history, None where nothing changes."""
    before = [*tournament.arbiters.select_related("player")]
    rows = arbiter_rows(tournament, chief, deputies)
    if [(row.player_id, row.is_chief) for row in before] == [(row.player_id, row.is_chief) for row in rows]:
        return None
    tournament.arbiters.all().delete()
    TournamentArbiter.objects.bulk_create(rows)
    after = tournament.arbiters.select_related("player")
    return {"field": ARBITERS, "before": _names(before), "after": _names([*after])}


def _names(rows: Sequence[TournamentArbiter]) -> str:
    return "; ".join(str(row.player) for row in rows)
