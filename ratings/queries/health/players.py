"""The players of two lists: how the ratings of those who stayed active went, and what became of initial ratings."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.bulk import batched, ids_subquery
from ratings.models import Calculation, ListEntry, RatingList
from ratings.queries.health.reading import LISTS, NEAR, REFERENCE_AGES, STRENGTHS, Moved, Scores, Settling
from ratings.queries.statistics import BANDS, age_band
from ratings.systems.otb.rules import months_after
from ratings.systems.registry import key_of_each

CHUNK = 5_000
BATCH = 20_000
EARLIER, NOW = 0, 1


@dataclass(frozen=True, slots=True)
class First:
    """An initial rating: how many lists ago, and which."""

    lists: int
    rating: int


@dataclass(slots=True)
class _Sums:
    players: int = 0
    change: int = 0
    squares: int = 0

    def add(self, change: int) -> None:
        self.players += 1
        self.change += change
        self.squares += change * change

    @property
    def moved(self) -> Moved:
        return Moved(self.players, self.change, self.squares)


@dataclass(slots=True)
class Movement:
    """How the ratings of players went who are active on two lists, by age and by strength on the earlier one."""

    whole: _Sums = field(default_factory=_Sums)
    reference: _Sums = field(default_factory=_Sums)
    by_age: dict[int | None, _Sums] = field(default_factory=lambda: defaultdict(_Sums))
    by_strength: dict[int, _Sums] = field(default_factory=lambda: defaultdict(_Sums))

    def add(self, before: int, after: int, band: int | None) -> None:
        """Count a player with the rating on both lists, by the band of the age."""
        sums = [self.whole, self.by_age[band], self.by_strength[_strength(before)]]
        for one in [*sums, self.reference] if band in REFERENCE_AGES else sums:
            one.add(after - before)

    def ages(self) -> list[tuple[int | None, Moved]]:
        """Return the bands of ages that have a player, an unknown age last."""
        return [(band, self.by_age[band].moved) for band in (*BANDS, None) if band in self.by_age]

    def strengths(self) -> list[tuple[int, Moved]]:
        return [(first, self.by_strength[first].moved) for first in sorted(self.by_strength)]


def movement_of(earlier: RatingList | None, later: RatingList) -> Movement:
    """Return how the ratings of players went who are listed and active on both lists; ages are those of the later."""
    movement = Movement()
    for rows in _on_both(earlier, later) if earlier else ():
        (_, before, _, _), (_, after, born, _) = rows
        movement.add(before, after, age_band(born, later.date))
    return movement


def _on_both(earlier: RatingList, later: RatingList) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the two rows of each player on both lists; both are read in step, so that memory does not grow."""
    streams = (_active(earlier, EARLIER), _active(later, NOW))
    for _player, rows in groupby(merge(*streams, key=itemgetter(0)), itemgetter(0)):
        both = list(rows)
        if len(both) == len(streams):
            yield sorted(both, key=itemgetter(-1))


def _active(rating_list: RatingList, side: int) -> Iterator[tuple[Any, ...]]:
    entries = ListEntry.objects.filter(rating_list=rating_list, is_inactive=False).listed()
    rows = entries.order_by("player_id").values_list("player_id", "rating", "birth_year")
    return ((*row, side) for row in rows.iterator(CHUNK))


def _strength(rating: int) -> int:
    return STRENGTHS[bisect_right(STRENGTHS, rating) - 1]


def initial_ratings(rating_list: RatingList) -> dict[int, First]:
    """Return the players with an initial rating on one of the 12 lists before; the latest where there are two."""
    calculations = Calculation.objects.filter(
        rating_list__kind=rating_list.kind,
        rating_list__date__gte=months_after(rating_list.date, -LISTS),
        rating_list__date__lt=rating_list.date,
        result__in=key_of_each("initial"),
        new_rating__isnull=False,
    )
    rows = calculations.order_by("rating_list__date").values_list(
        "player_id", "rating_list__date", "new_rating"
    )
    return {
        player: First(months_between(day, rating_list.date), rating)
        for player, day, rating in rows.iterator(CHUNK)
    }


def settling_of(
    rating_list: RatingList, firsts: Mapping[int, First], scores: Mapping[int, Scores]
) -> list[Settling]:
    """Return how far rated players are from their initial ratings, by the lists since."""
    changes: dict[int, list[int]] = defaultdict(list)
    for batch in batched(sorted(firsts), BATCH):
        entries = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(batch)).listed()
        for player, rating in entries.order_by().values_list("player_id", "rating"):
            changes[firsts[player].lists].append(rating - firsts[player].rating)
    return [settling(lists, changes[lists], scores.get(lists, Scores())) for lists in sorted(changes)]


def settling(lists: int, changes: list[int], scores: Scores) -> Settling:
    """Return the sums over the changes of some players since their initial ratings."""
    return Settling(
        lists=lists,
        players=len(changes),
        change=sum(changes),
        absolute=sum(map(abs, changes)),
        near=sum(abs(change) <= NEAR for change in changes),
        scores=scores,
    )


def months_between(earlier: date, later: date) -> int:
    """Return the months from one list to another."""
    return 12 * (later.year - earlier.year) + later.month - earlier.month
