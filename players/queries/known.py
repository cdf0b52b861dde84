"""Who the FIDE IDs of reports name in the portal: asked for one report, or at once for many."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from players.bulk import among
from players.models import Player

HIGHEST_ID = 2_147_483_647

_held: ContextVar[Mapping[int, Player | None] | None] = ContextVar("players held", default=None)


@contextmanager
def players_held(fide_ids: Collection[int]) -> Iterator[None]:
    """Ask for all these players once inside: for the reports of one short transaction."""
    token = _held.set({**dict.fromkeys(fide_ids), **_asked(fide_ids)})
    try:
        yield
    finally:
        _held.reset(token)


def players_by_id(fide_ids: Collection[int]) -> dict[int, Player]:
    """Return the players who have one of these FIDE IDs, merged ones too; one query at most. Not to be changed."""
    held = _held.get() or {}
    known = {fide_id: player for fide_id in fide_ids if (player := held.get(fide_id)) is not None}
    missing = [fide_id for fide_id in fide_ids if fide_id not in held]
    return known | _asked(missing) if missing else known


def _asked(fide_ids: Collection[int]) -> dict[int, Player]:
    wanted = [fide_id for fide_id in fide_ids if 0 < fide_id <= HIGHEST_ID]
    return {player.fide_id: player for player in Player.objects.filter(pk__in=among(wanted))}
