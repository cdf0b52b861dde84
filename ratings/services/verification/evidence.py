"""What a published list itself keeps of its players, so that it can be computed again years later."""

from __future__ import annotations

from collections.abc import Iterable

from core.bulk import batched, ids_subquery
from ratings.choices import EntryStatus
from ratings.models import Calculation, ListEntry, RatingList
from ratings.systems.otb.listing import DECEASED, EXCLUDED

BATCH = 20_000
BARRING = (EXCLUDED, DECEASED)
BARRED = {EntryStatus.WITHHELD.value: EXCLUDED, EntryStatus.DECEASED.value: DECEASED}
Kept = tuple[int | None, str]


class Evidence:
    """What the list itself keeps of some players: years of birth, and who was barred from it."""

    def __init__(self, rating_list: RatingList, player_ids: Iterable[int]) -> None:
        self._barred: dict[int, str] = {}
        self._entries: dict[int, Kept] = {}
        self._previous: dict[int, Kept] = {}
        self._years: dict[int, int | None] = {}
        for batch in batched(player_ids, BATCH):
            self._entries |= _kept(rating_list.pk, batch)
            self._previous |= _kept(rating_list.previous_id, batch)
            calculated = Calculation.objects.filter(rating_list=rating_list, player__in=ids_subquery(batch))
            for player_id, result, year in calculated.values_list(
                "player_id", "result", "player__birth_year"
            ):
                self._years[player_id] = year
                if result in BARRING:
                    self._barred[player_id] = result

    def person(self, player_id: int) -> Kept:
        """Return year of birth and the reason key for which the list did not show the player."""
        year, status = self._entries.get(player_id, (None, ""))
        if player_id not in self._entries:
            year = self._previous.get(player_id, (self._years.get(player_id), ""))[0]
        return year, self._barred.get(player_id) or BARRED.get(status, "")


def barred_by(rating_list: RatingList) -> dict[int, str]:
    """Return the players whose calculation for the list says that it may not show them, and the reason key."""
    barred = Calculation.objects.filter(rating_list=rating_list, result__in=BARRING)
    return dict(barred.values_list("player_id", "result"))


def _kept(list_id: int | None, player_ids: Iterable[int]) -> dict[int, Kept]:
    rows = ListEntry.objects.filter(rating_list=list_id, player__in=ids_subquery(player_ids)).order_by()
    return {player_id: kept for player_id, *kept in rows.values_list("player_id", "birth_year", "status")}  # type: ignore[misc]
