"""The entries of a list against those that the list before and the calculations make, side by side as they stream.

The evidence is what a published list itself keeps of its players, so that it can be computed again years later.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from ratings.ledger.figures import ENTRY_FIELDS
from ratings.ledger.periods import Periods
from ratings.ledger.stored import BARRED, NOBODY, PersonOnList, entry_from
from ratings.models import ListEntry, RatingList
from ratings.publish.entries import listing_of
from ratings.systems.otb.listing import next_entry
from ratings.systems.otb.period import PeriodResult


@dataclass(frozen=True, slots=True)
class FirstDifference:
    """The first difference from the published list: the place, the stored value and the expected value."""

    what: str
    where: str
    stored: Any
    expected: Any

    def __str__(self) -> str:
        return f"{self.what}, {self.where}: stored {_text(self.stored)}, expected {_text(self.expected)}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def compare(what: str, where: str, stored: Any, expected: Any) -> Iterator[FirstDifference]:
    """Yield the difference of two values if there is one."""
    if stored != expected:
        yield FirstDifference(what, where, stored, expected)


@dataclass(frozen=True, slots=True)
class EntryDifference(FirstDifference):
    """An entry that is not what the list would be: `EntryFigures`, None where there is none."""

    player_id: int


@dataclass(frozen=True, slots=True)
class ResultDifference(FirstDifference):
    """A player whose sums, K-factors or new rating are others; no result where there is no calculation this time."""

    player_id: int
    computed: PeriodResult | None


CHUNK = 5_000
HELD, BEFORE, CALCULATED = range(3)


def entry_differences(
    rating_list: RatingList, results: Mapping[int, PeriodResult], sources: Periods
) -> Iterator[EntryDifference]:
    """Yield the entries that differ from the recalculation, by FIDE ID.

    The sources have the previous entries of players with results. Both lists are read in step, so that memory does
    not grow with them.
    """
    listing = listing_of(rating_list.kind, rating_list.date, sources.adoptions)
    for player_id, sides in _side_by_side(rating_list, results):
        held = entry_from(sides[HELD][2:]) if HELD in sides else None
        if player_id in results:
            before = sources.entries.get(player_id)
            person = sources.people.get(player_id, NOBODY)
        else:
            before = entry_from(sides[BEFORE][2:]) if BEFORE in sides else None
            _, year, *figures = sides[HELD] if HELD in sides else sides[BEFORE]
            person = PersonOnList(year, BARRED.get(figures[0], "") if HELD in sides else "")
        result = results.get(player_id)
        expected = next_entry(result, before, listing, birth_year=person.birth_year, barred=person.barred)
        if held != expected:
            yield EntryDifference("list entry", f"player {player_id}", held, expected, player_id)


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
