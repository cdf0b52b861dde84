"""The entries of a list against those that the list before and the calculations make, side by side as they stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from ratings.models import ListEntry, RatingList
from ratings.services.publication.entries import listing_of
from ratings.services.publication.periods import ENTRY_FIELDS, Sources, entry_from
from ratings.services.verification.evidence import BARRED
from ratings.systems.otb.listing import Entry, Listing, carried_over, entry_after
from ratings.systems.otb.period import PeriodResult


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that is not as it was published: where, what stands there, what ought to."""

    what: str
    where: str
    stored: str
    expected: str

    def __str__(self) -> str:
        return f"{self.what}, {self.where}: stored {self.stored}, expected {self.expected}"


@dataclass(frozen=True, slots=True)
class EntryDifference(Difference):
    """An entry that is not what the list would be: None where there is none."""

    player_id: int
    held: Entry | None
    computed: Entry | None


CHUNK = 5_000
HELD, BEFORE, CALCULATED = range(3)
Person = tuple[int | None, str]


def entry_differences(
    rating_list: RatingList, results: Mapping[int, PeriodResult], sources: Sources
) -> Iterator[Difference]:
    """Yield the entries that are not what they should be, by FIDE ID.

    Of the players with results the sources say what was before. Both lists are read in step, so that memory does
    not grow with them.
    """
    listing = listing_of(rating_list.kind, rating_list.date, sources.adoptions)
    for player_id, sides in _side_by_side(rating_list, results):
        held = entry_from(sides[HELD][2:]) if HELD in sides else None
        if player_id in results:
            before = sources.entries.get(player_id)
            person = sources.people.get(player_id, (None, ""))
        else:
            before = entry_from(sides[BEFORE][2:]) if BEFORE in sides else None
            person = _person(sides)
        expected = _expected(before, results.get(player_id), listing, person)
        if held != expected:
            yield EntryDifference(
                what="list entry",
                where=f"player {player_id}",
                stored=repr(held),
                expected=repr(expected),
                player_id=player_id,
                held=held,
                computed=expected,
            )


def _side_by_side(
    rating_list: RatingList, calculated: Iterable[int]
) -> Iterator[tuple[int, dict[int, tuple[Any, ...]]]]:
    """Yield each player with the stored values on both lists, as far as there are any."""
    streams = (
        ((*row, HELD) for row in _rows(rating_list.pk)),
        ((*row, BEFORE) for row in _rows(rating_list.previous_id)),
        ((player_id, CALCULATED) for player_id in sorted(calculated)),
    )
    for player_id, rows in groupby(merge(*streams, key=itemgetter(0)), itemgetter(0)):
        yield player_id, {row[-1]: row[:-1] for row in rows}


def _rows(list_id: int | None) -> Iterator[tuple[Any, ...]]:
    rows = ListEntry.objects.filter(rating_list=list_id).order_by("player_id")
    return rows.values_list("player_id", "birth_year", *ENTRY_FIELDS).iterator(CHUNK)


def _person(sides: Mapping[int, tuple[Any, ...]]) -> Person:
    """Return year of birth and reason for being barred of a player without a calculation, by the entries."""
    _, year, *figures = sides[HELD] if HELD in sides else sides[BEFORE]
    return year, BARRED.get(figures[0], "") if HELD in sides else ""


def _expected(
    before: Entry | None, result: PeriodResult | None, listing: Listing, person: Person
) -> Entry | None:
    year, barred = person
    if result is not None:
        return entry_after(result, before, listing, birth_year=year, barred=barred)
    if before is not None:
        return carried_over(before, listing, birth_year=year, barred=barred)
    return None
