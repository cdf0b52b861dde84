"""FIDE IDs that were merged: whose results, pool and rating a list takes for whom (D-11).

Nothing stored is rewritten. A participation keeps the ID under which it was played; the list that follows the merge,
and every list after it, counts it for the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from ratings.models import Merger, RatingList
from ratings.systems.otb.listing import Entry, EntryStatus

WITH_RATING = (EntryStatus.LISTED, EntryStatus.WITHHELD)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mergers:
    """What merging means for one list: `taken` are the rows that this list takes, in their order.

    `direct` leads each ID merged by now to the one that it was merged into, `persons` to the one that the list counts
    for, `final` each ID that was ever merged to the one that stands now. `dropped` are those whose rating was not
    taken over by an earlier list.
    """

    taken: Sequence[Merger] = ()
    direct: Mapping[int, int] = field(default_factory=dict)
    persons: Mapping[int, int] = field(default_factory=dict)
    final: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    def person(self, fide_id: int) -> int:
        """Return the ID for which the list counts what another was merged into it."""
        return self.persons.get(fide_id, fide_id)

    def played_as(self, player_id: int, played: Iterable[int]) -> int:
        """Return for whom the list counts a line of a report that came later than it.

        `played` are the IDs in the report that the list took: where one of them is the same person by now, the line
        stands in its place, whichever of the IDs it names.
        """
        person = self.final.get(player_id, player_id)
        same = [fide_id for fide_id in played if self.final.get(fide_id, fide_id) == person]
        return self.person(min(same, default=player_id))

    def ids_of(self, persons: Iterable[int]) -> set[int]:
        """Return the IDs of persons, merged ones among them."""
        wanted = set(persons)
        return wanted | {old for old, person in self.persons.items() if person in wanted}

    def all_dropped(self) -> set[int]:
        """Return the IDs whose ratings nobody goes on with, among them what had been merged into such a one before."""
        dropped = self.dropped | {row.player_id for row in self.taken if row.is_dropped}
        return {fide_id for fide_id in self.direct if dropped & set(self._way(fide_id))}

    def _way(self, fide_id: int) -> Iterator[int]:
        while fide_id in self.direct:
            yield fide_id
            fide_id = self.direct[fide_id]

    def by_person(self, items: Mapping[int, list[T]]) -> dict[int, list[T]]:
        """Return lists of items by person instead of by ID."""
        found: dict[int, list[T]] = {}
        for fide_id, some in items.items():
            found.setdefault(self.person(fide_id), []).extend(some)
        return found


def mergers_of(kind: str, list_date: date, *, taken_by: RatingList | None) -> Mergers:
    """Return the mergers of a list: one that stands, or the one that is being made and takes what waits."""
    rows = list(Merger.objects.filter(kind=kind).select_related("taken_by").order_by("pk"))
    taken_pk = None if taken_by is None else taken_by.pk
    taken = [row for row in rows if row.taken_by_id == taken_pk]
    former = [row for row in rows if row.taken_by is not None and row.taken_by.date < list_date]
    direct = {row.player_id: row.successor_id for row in (*former, *taken)}
    ever = {row.player_id: row.successor_id for row in rows}
    return Mergers(
        taken,
        direct,
        {fide_id: _last(fide_id, direct) for fide_id in direct},
        {fide_id: _last(fide_id, ever) for fide_id in ever},
        frozenset(row.player_id for row in former if row.is_dropped),
    )


def _last(fide_id: int, direct: Mapping[int, int]) -> int:
    while fide_id in direct:
        fide_id = direct[fide_id]
    return fide_id


def are_both_rated(old: Entry | None, new: Entry | None) -> bool:
    """Whether both IDs have a rating, shown or withheld: that of the ID that stays stands then."""
    return old is not None and new is not None and old.status in WITH_RATING and new.status in WITH_RATING


def joined_entry(old: Entry | None, new: Entry | None) -> Entry | None:
    """Return what the list before says of a person with two IDs: one rating, the games and marks of both."""
    if old is None or old.status is EntryStatus.DECEASED:
        return new
    if new is None or new.status is EntryStatus.DECEASED:
        return old
    stays, goes = (old, new) if old.status in WITH_RATING and new.status not in WITH_RATING else (new, old)
    played = [day for day in (stays.last_played, goes.last_played) if day is not None]
    return stays._replace(
        completed=stays.completed + goes.completed,
        reached_2300=stays.reached_2300 or goes.reached_2300,
        reached_2400=stays.reached_2400 or goes.reached_2400,
        is_inactive=stays.is_inactive and goes.is_inactive,
        last_played=max(played, default=None),
    )
