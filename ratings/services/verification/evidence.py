"""What a published list itself keeps of its players, so that it can be computed again years later."""

from __future__ import annotations

from ratings.choices import EntryStatus
from ratings.models import Calculation, ListEntry, RatingList
from ratings.systems.otb.listing import DECEASED, EXCLUDED

CHUNK = 5_000


class Evidence:
    """What the list itself keeps of its players: years of birth, and who was barred from it."""

    def __init__(self, rating_list: RatingList) -> None:
        self._entries = self._stored(rating_list)
        self._previous = self._stored(rating_list.previous)
        results = Calculation.objects.filter(rating_list=rating_list, result__in=[EXCLUDED, DECEASED])
        self._barred = dict(results.values_list("player_id", "result"))
        others = Calculation.objects.filter(rating_list=rating_list)
        self._years = dict(others.values_list("player_id", "player__birth_year"))

    @staticmethod
    def _stored(rating_list: RatingList | None) -> dict[int, tuple[int | None, str]]:
        if rating_list is None:
            return {}
        rows = ListEntry.objects.filter(rating_list=rating_list)
        values = rows.values_list("player_id", "birth_year", "status")
        return {player_id: (year, status) for player_id, year, status in values.iterator(CHUNK)}

    def person(self, player_id: int) -> tuple[int | None, str]:
        """Return year of birth and the reason key for which the list did not show the player."""
        year, status = self._entries.get(player_id, (None, ""))
        if player_id not in self._entries:
            year = self._previous.get(player_id, (self._years.get(player_id), ""))[0]
        barred = {EntryStatus.WITHHELD.value: EXCLUDED, EntryStatus.DECEASED.value: DECEASED}
        return year, self._barred.get(player_id) or barred.get(status, "")
