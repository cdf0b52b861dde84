"""How far an unrated player is from a first rating, and when what is in the pool lapses (FIDE R&B 2024, 6.1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.models import PoolEvent, RatingList
from ratings.systems.otb.pool import first_rating
from ratings.systems.otb.shared import POOL_GAMES, POOL_MONTHS, first_pool_month
from ratings.systems.otb.values import InitialRating, PoolShare
from ratings.systems.registry import rules_on
from ratings.systems.rounding import half_away_from_zero


@dataclass(frozen=True, slots=True)
class PooledEvent:
    """An event of an unrated player: its games against rated opponents, and the last list on which it counts."""

    event_id: str
    name: str
    start: date
    end: date
    games: int
    half_points: int
    opponents_sum: int
    is_disregarded: bool = False
    is_lapsed: bool = False

    @property
    def last_list(self) -> date:
        return last_list_with(self.start)

    @property
    def average(self) -> int | None:
        """The opponents' average, rounded for a look at it only."""
        return half_away_from_zero(Fraction(self.opponents_sum, self.games)) if self.games else None

    @property
    def counts(self) -> bool:
        return not (self.is_disregarded or self.is_lapsed)

    def as_share(self) -> PoolShare:
        sums = (self.opponents_sum, self.games, self.half_points)
        return PoolShare(self.event_id, self.start, self.end, *sums)


@dataclass(frozen=True, slots=True)
class Pool:
    """The pool of a player as a list finds it. `expected` is the first rating that it would give today."""

    events: Sequence[PooledEvent]
    games: int
    missing: int
    floor: int
    expected: InitialRating | None = None

    @property
    def is_below_floor(self) -> bool:
        return self.expected is not None and self.expected.rating < self.floor


def last_list_with(start: date) -> date:
    """Return the last list for which an event of a day is in a pool: the 26th after its month (6.1.4)."""
    months = start.year * 12 + start.month - 1 + POOL_MONTHS
    return date(months // 12, months % 12 + 1, 1)


def pools_on(lists: Sequence[RatingList], player_id: int) -> dict[int, Pool]:
    """Return a player's pool as each list left it, by the list's id; none where nothing is in it."""
    rows = PoolEvent.objects.filter(player=player_id, kind__in={item.kind for item in lists})
    rows = rows.select_related("tournament", "participant_rating").defer("participant_rating__outcomes")
    stored = list(rows.order_by("tournament__start", "tournament__end", "tournament__event_id", "pk"))
    dates = dict(RatingList.objects.values_list("pk", "date")) if stored else {}
    pools = {item.pk: _pool(item, [row for row in stored if _is_open(row, item, dates)]) for item in lists}
    return {pk: pool for pk, pool in pools.items() if pool.events}


def _is_open(row: PoolEvent, rating_list: RatingList, dates: dict[int, date]) -> bool:
    if row.kind != rating_list.kind or dates[row.added_by_id] > rating_list.date:
        return False
    return row.closed_by_id is None or dates[row.closed_by_id] > rating_list.date


def _pool(rating_list: RatingList, rows: Sequence[PoolEvent]) -> Pool:
    events = [_event(row, rating_list.date) for row in rows]
    counting = [event for event in events if event.counts]
    games = sum(event.games for event in counting)
    return Pool(
        events,
        games=games,
        missing=max(0, POOL_GAMES - games),
        floor=rules_on(rating_list.date).floor,
        expected=first_rating([event.as_share() for event in counting])[1] if games >= POOL_GAMES else None,
    )


def _event(row: PoolEvent, list_date: date) -> PooledEvent:
    part, tournament = row.participant_rating, row.tournament
    return PooledEvent(
        *(tournament.event_id, tournament.name, tournament.start, tournament.end),
        *(part.games, part.half_points, part.opponents_sum),
        is_disregarded=row.is_disregarded,
        is_lapsed=tournament.start < first_pool_month(list_date),
    )
