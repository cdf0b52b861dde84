"""Who the FIDE IDs of reports name in the portal."""

from __future__ import annotations

from collections.abc import Collection

from core.bulk import among
from players.models import Player

HIGHEST_ID = 2_147_483_647


class KnownPlayers:
    """The players who have FIDE IDs, merged ones too, each asked for once. They are not to be changed."""

    def __init__(self) -> None:
        self._known: dict[int, Player | None] = {}

    def by_id(self, fide_ids: Collection[int]) -> dict[int, Player]:
        """Return the players who have one of these FIDE IDs, in one query at most."""
        missing = [fide_id for fide_id in fide_ids if fide_id not in self._known]
        if missing:
            wanted = [fide_id for fide_id in missing if 0 < fide_id <= HIGHEST_ID]
            players = Player.objects.filter(pk__in=among(wanted))
            self._known |= {**dict.fromkeys(missing), **{player.fide_id: player for player in players}}
        return {fide_id: player for fide_id in fide_ids if (player := self._known[fide_id]) is not None}
