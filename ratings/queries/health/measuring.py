"""Measuring the health of a pool: the rated games of a list, each counted once, and the players of two lists.

Games give scores by difference, games between federations and newcomers' scores; players give how the ratings of those
who stayed active went, and what became of initial ratings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import Any

from core.bulk import batched
from core.sql import ids_subquery
from ratings.models import Calculation, ListEntry, ParticipantRating, RatingList
from ratings.queries.health.reading import (
    CAP,
    CLASS,
    LAST_CLASS,
    LISTS,
    NEAR,
    REFERENCE_AGES,
    STRENGTHS,
    ChangeSums,
    FederationGames,
    Scores,
    Settling,
)
from ratings.queries.statistics import BANDS, age_band
from ratings.systems.otb.rules import months_after
from ratings.systems.otb.values import Outcome
from ratings.systems.registry import key_of_each

CHUNK = 2_000
Pairs = Counter[tuple[str, str]]


@dataclass(slots=True)
class GameCounts:
    """The games of a list between two rated players; `newcomers` are the scores by lists since the initial rating."""

    curve: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))
    newcomers: dict[int, Scores] = field(default_factory=lambda: defaultdict(Scores))
    pairs: Pairs = field(default_factory=Counter)
    outside: int = 0

    @property
    def whole(self) -> Scores:
        """All games from the side of the higher rated players."""
        return Scores.sum_of(self.curve.values())

    def classes(self) -> list[tuple[int, Scores]]:
        """Return the classes of differences by their first one, from 0 to the last that has a game."""
        last = max(self.curve, default=-1)
        return [(first, self.curve[first]) for first in range(0, last + 1, CLASS)]


def count_games(rating_list: RatingList, newcomers: Mapping[int, int]) -> GameCounts:
    """Return the counts of a list's games between two rated players, as they were rated.

    `newcomers` leads from players to the lists since their initial rating.
    """
    counts = GameCounts()
    codes = _federations(rating_list)
    for players, player, outcome in _sides(rating_list):
        difference = outcome.difference
        if difference is None:
            continue
        if player is not None and player in newcomers:
            counts.newcomers[newcomers[player]].add(outcome.half_points, difference)
        # A game has two sides: count it for the higher rated player, for White between equals.
        if difference > 0 or (difference == 0 and outcome.colour == "w"):
            counts.curve[min(difference // CLASS * CLASS, LAST_CLASS)].add(outcome.half_points, difference)
            counts.outside += difference > CAP
            both = sorted(codes.get(one or 0, "") for one in (player, players.get(outcome.opponent or 0)))
            # Whoever the list does not show has no federation on it.
            if all(both):
                counts.pairs[both[0], both[1]] += 1
    return counts


def _sides(rating_list: RatingList) -> Iterator[tuple[dict[int, int | None], int | None, Outcome]]:
    """Yield each round of each participant, with the players of the tournament by their numbers."""
    rows = ParticipantRating.objects.filter(tournament_rating__included_in=rating_list)
    values = rows.order_by("tournament_rating", "number").values_list(
        "tournament_rating_id", "number", "player_id", "outcomes"
    )
    for _key, group in groupby(values.iterator(CHUNK), itemgetter(0)):
        seated = list(group)
        players: dict[int, int | None] = {number: player for _, number, player, _ in seated}
        for _, _, player, outcomes in seated:
            for row in outcomes:
                yield players, player, Outcome.from_row(row)


def _federations(rating_list: RatingList) -> dict[int, str]:
    """Return the federations on the list of the players with a rated game on it."""
    entries = ListEntry.objects.filter(rating_list=rating_list, games__gt=0).listed().order_by()
    return dict(entries.values_list("player_id", "federation_id").iterator(CHUNK))


def connections_of(pairs: Pairs) -> list[FederationGames]:
    """Return what links federations by their games, those with the smallest share of games with others first."""
    games: Counter[str] = Counter()
    foreign: Counter[str] = Counter()
    partners: dict[str, set[str]] = defaultdict(set)
    for (one, other), number in pairs.items():
        for code in {one, other}:
            games[code] += number
            partners[code] |= {one, other} - {code}
            foreign[code] += number if one != other else 0
    groups = _groups(partners)
    found = [
        FederationGames(code, games[code], foreign[code], len(partners[code]), groups[code]) for code in games
    ]
    return sorted(found, key=lambda one: (one.foreign_tenths or 0, -one.games, one.code))


def _groups(partners: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the number of each federation's group: those that games link; the largest group is 1."""
    found: list[set[str]] = []
    left = set(partners)
    while left:
        group, waiting = set[str](), [min(left)]
        while waiting:
            code = waiting.pop()
            if code not in group:
                group.add(code)
                waiting += partners[code] - group
        found.append(group)
        left -= group
    found.sort(key=lambda group: (-len(group), min(group)))
    return {code: number for number, group in enumerate(found, 1) for code in group}


PLAYERS_CHUNK = 5_000
BATCH = 20_000
EARLIER, NOW = 0, 1


@dataclass(frozen=True, slots=True)
class First:
    """An initial rating: how many lists ago, and which."""

    lists: int
    rating: int


@dataclass(slots=True)
class Movement:
    """How the ratings of players went who are active on two lists, by age and by strength on the earlier one."""

    whole: ChangeSums = field(default_factory=ChangeSums)
    reference: ChangeSums = field(default_factory=ChangeSums)
    by_age: dict[int | None, ChangeSums] = field(default_factory=lambda: defaultdict(ChangeSums))
    by_strength: dict[int, ChangeSums] = field(default_factory=lambda: defaultdict(ChangeSums))

    def add(self, before: int, after: int, band: int | None) -> None:
        """Count a player with the rating on both lists, by the band of the age."""
        sums = [self.whole, self.by_age[band], self.by_strength[_strength(before)]]
        for one in [*sums, self.reference] if band in REFERENCE_AGES else sums:
            one.add(after - before)

    def ages(self) -> list[tuple[int | None, ChangeSums]]:
        """Return the bands of ages that have a player, an unknown age last."""
        return [(band, self.by_age[band]) for band in (*BANDS, None) if band in self.by_age]

    def strengths(self) -> list[tuple[int, ChangeSums]]:
        return [(first, self.by_strength[first]) for first in sorted(self.by_strength)]


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
    return ((*row, side) for row in rows.iterator(PLAYERS_CHUNK))


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
    # In order, so that the latest of two initial ratings is the one that stays in the table.
    rows = calculations.order_by("rating_list__date").values_list(
        "player_id", "rating_list__date", "new_rating"
    )
    return {
        player: First(months_between(day, rating_list.date), rating or 0)
        for player, day, rating in rows.iterator(PLAYERS_CHUNK)
    }


def settling_of(
    rating_list: RatingList, firsts: Mapping[int, First], scores: Mapping[int, Scores]
) -> list[Settling]:
    """Return how far rated players are from their initial ratings, by the lists since."""
    changes: dict[int, list[int]] = defaultdict(list)
    for batch in batched(sorted(firsts), BATCH):
        entries = ListEntry.objects.filter(rating_list=rating_list, player__in=ids_subquery(batch)).listed()
        for player, rating in entries.order_by().values_list("player_id", "rating"):
            changes[firsts[player].lists].append((rating or 0) - firsts[player].rating)
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
