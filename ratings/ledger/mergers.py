"""Merged FIDE IDs: for whom a list counts what was played under each, and what two IDs have together (D-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeVar

from ratings.models import Merger, RatingList
from ratings.systems.otb.listing import EntryFigures, EntryStatus

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mergers:
    """The mergers for one list: `taken` are the rows that this list takes, in their order.

    `direct` maps each merged ID to the one that it was merged into, `persons` to the one that counts on the list,
    `ever` each ID ever merged to its merger, `former` each that an earlier list merged to the one with its entry.
    `dropped` are those whose rating an earlier list did not continue.
    """

    taken: Sequence[Merger] = ()
    direct: Mapping[int, int] = field(default_factory=dict)
    persons: Mapping[int, int] = field(default_factory=dict)
    ever: Mapping[int, Merger] = field(default_factory=dict)
    former: Mapping[int, int] = field(default_factory=dict)
    dropped: frozenset[int] = frozenset()

    def person(self, fide_id: int) -> int:
        """Return the ID for which the list counts what another was merged into it."""
        return self.persons.get(fide_id, fide_id)

    def held_by(self, fide_id: int) -> int:
        """Return the ID that has the entry and pool of another on the list before."""
        return self.former.get(fide_id, fide_id)

    def played_as(self, player_id: int, played: Iterable[int], at: datetime) -> int:
        """Return the ID for which the list counts a line of a report that was submitted at an instant.

        `played` are the IDs in the report that the list added: if one of them was the same person by then, the line
        replaces its line, whichever of the IDs it names. A report from before the merger means the ID that it names.
        """
        person = self._known_as(player_id, at)
        same = [fide_id for fide_id in played if self._known_as(fide_id, at) == person]
        return self.person(min(same, default=player_id))

    def _known_as(self, fide_id: int, at: datetime) -> int:
        """Return the ID that stayed of a person's IDs by an instant."""
        while (row := self.ever.get(fide_id)) is not None and row.correction.at <= at:
            fide_id = row.successor_id
        return fide_id

    def ids_of(self, persons: Iterable[int]) -> set[int]:
        """Return the IDs of persons, merged ones among them."""
        wanted = set(persons)
        return wanted | {old for old, person in self.persons.items() if person in wanted}

    def all_dropped(self) -> set[int]:
        """Return the IDs whose ratings are not continued, including IDs that were merged into them before."""
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


def load_mergers(kind: str) -> list[Merger]:
    """Return all mergers of a kind in the order in which they were made, each with the list that took it."""
    rows = (
        Merger.objects.filter(kind=kind).select_related("taken_by", "correction").defer("taken_by__manifest")
    )
    return list(rows.order_by("pk"))


def mergers_of(rows: Sequence[Merger], list_date: date, *, taken_by: RatingList | None) -> Mergers:
    """Return the mergers of a published list, or those waiting for the list that is being published.

    That one takes every merger that is known when it is published, as it does corrections, deaths and exclusions: only
    reports go by the date of the list (D-76).
    """
    taken_pk = None if taken_by is None else taken_by.pk
    taken = [row for row in rows if row.taken_by_id == taken_pk]
    former = [row for row in rows if row.taken_by is not None and row.taken_by.date < list_date]
    earlier = {row.player_id: row.successor_id for row in former}
    direct = {row.player_id: row.successor_id for row in (*former, *taken)}
    return Mergers(
        taken=taken,
        direct=direct,
        persons={fide_id: _last(fide_id, direct) for fide_id in direct},
        ever={row.player_id: row for row in rows},
        former={fide_id: _last(fide_id, earlier) for fide_id in earlier},
        dropped=frozenset(row.player_id for row in former if row.is_dropped),
    )


def _last(fide_id: int, direct: Mapping[int, int]) -> int:
    while fide_id in direct:
        fide_id = direct[fide_id]
    return fide_id


def are_both_rated(old: EntryFigures | None, new: EntryFigures | None) -> bool:
    """Return whether both IDs have a rating, shown or withheld: then that of the kept ID counts."""
    return old is not None and new is not None and old.is_rated and new.is_rated


def joined_entry(old: EntryFigures | None, new: EntryFigures | None) -> EntryFigures | None:
    """Return the previous entry of a person with two IDs: one rating, the games and highest ratings of both."""
    if old is None or old.status is EntryStatus.DECEASED:
        return new
    if new is None or new.status is EntryStatus.DECEASED:
        return old
    # The kept ID goes on, unless only the other one has a rating: a merger loses none.
    stays, goes = (old, new) if old.is_rated and not new.is_rated else (new, old)
    played = [day for day in (stays.last_played, goes.last_played) if day is not None]
    return stays._replace(
        completed=stays.completed + goes.completed,
        reached_2300=stays.reached_2300 or goes.reached_2300,
        reached_2400=stays.reached_2400 or goes.reached_2400,
        is_inactive=stays.is_inactive and goes.is_inactive,
        last_played=max(played, default=None),
    )
