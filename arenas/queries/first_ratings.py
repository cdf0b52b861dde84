"""What the FIDE lists say of new members on the day on which they joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from arenas.models import Member
from core.bulk import among
from ratings.choices import ListKind
from ratings.models import ListEntry, RatingList


class ListsInForce:
    """The lists of each kind by date, read once."""

    def __init__(self) -> None:
        self._lists: dict[str, list[tuple[date, int]]] = {kind: [] for kind in ListKind.values}
        for kind, on, pk in RatingList.objects.order_by("date").values_list("kind", "date", "pk"):
            self._lists[kind].append((on, pk))

    def date_of(self, kind: str, day: date) -> date | None:
        """Return the date of the list of a kind in force on a day."""
        found = self._in_force(kind, day)
        return found[0] if found else None

    def ratings(self, members: Iterable[Member]) -> dict[int, Mapping[str, int | None]]:
        """Return the ratings by kind, on the lists in force on joining, of the members who are FIDE players."""
        wanted = {
            (member.pk, kind): (found[1], member.player_id)
            for member in members
            if member.player_id is not None
            for kind in ListKind.values
            if (found := self._in_force(kind, member.joined))
        }
        entries = self._entries(set(wanted.values()))
        ratings: dict[int, dict[str, int | None]] = {}
        for (member_id, kind), key in wanted.items():
            ratings.setdefault(member_id, {})[kind] = entries.get(key)
        return dict(ratings)

    def _in_force(self, kind: str, day: date) -> tuple[date, int] | None:
        """The newest list dated on or before the day (RULES, the list in force)."""
        return next((found for found in reversed(self._lists[kind]) if found[0] <= day), None)

    def _entries(self, keys: set[tuple[int, int]]) -> dict[tuple[int, int], int | None]:
        rows = ListEntry.objects.listed().filter(
            rating_list__in={rating_list for rating_list, _ in keys},
            player__in=among({player for _, player in keys}),
        )
        return {(row[0], row[1]): row[2] for row in rows.values_list("rating_list_id", "player_id", "rating")}
