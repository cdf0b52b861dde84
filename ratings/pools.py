"""How far an unrated player is from a first rating, and when what is in the pool lapses (FIDE R&B 2024, 6.1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.lists import LARGE
from ratings.models import PoolEvent, RatingList
from ratings.systems.arithmetic import half_away_from_zero
from ratings.systems.otb.rules import PeriodRules, first_rating_by
from ratings.systems.otb.values import InitialRating, PoolShare
from ratings.systems.registry import rules_named


@dataclass(frozen=True, slots=True)
class PooledEvent:
    """An event in the pool of an unrated player, and the last list on which it counts."""

    share: PoolShare
    name: str
    last_list: date
    is_lapsed: bool = False

    @property
    def average(self) -> int | None:
        """The opponents' average, rounded only for display."""
        games = self.share.games
        return half_away_from_zero(Fraction(self.share.opponents_sum, games)) if games else None

    @property
    def counts(self) -> bool:
        return not (self.share.is_disregarded or self.is_lapsed)


@dataclass(frozen=True, slots=True)
class Pool:
    """A player's pool as a list finds it, by the text of its date. `expected` is the first rating that it gives."""

    events: Sequence[PooledEvent]
    games: int
    missing: int
    rules: PeriodRules
    expected: InitialRating | None = None

    @property
    def is_below_floor(self) -> bool:
        return self.expected is not None and self.expected.rating < self.rules.floor


def pools_on(lists: Sequence[RatingList], player_id: int) -> dict[int, Pool]:
    """Return a player's pool after each list, by the list's ID; without lists where it is empty.

    A text of the regulations defines the pool: lists before the first text have none (D-92).
    """
    rows = PoolEvent.objects.filter(player=player_id, kind__in={item.kind for item in lists})
    rows = rows.select_related("tournament", "participant_rating__tournament_rating", "added_by", "closed_by")
    large = (f"{name}__{part}" for name in ("added_by", "closed_by") for part in LARGE)
    rows = rows.defer("participant_rating__outcomes", *large)
    stored = list(rows.order_by("tournament__start", "tournament__end", "tournament__event_id", "pk"))
    pools = {
        item.pk: _pool(item, item.text, [row for row in stored if _is_open(row, item)])
        for item in lists
        if item.text is not None
    }
    return {pk: pool for pk, pool in pools.items() if pool.events}


def _is_open(row: PoolEvent, rating_list: RatingList) -> bool:
    if row.kind != rating_list.kind or row.added_by.date > rating_list.date:
        return False
    return row.closed_by is None or row.closed_by.date > rating_list.date


def _pool(rating_list: RatingList, rules: PeriodRules, rows: Sequence[PoolEvent]) -> Pool:
    events = [_event(row, rules, rating_list.date) for row in rows]
    counting = [event for event in events if event.counts]
    games = sum(event.share.games for event in counting)
    return Pool(
        events,
        games=games,
        missing=max(0, rules.pool_games - games),
        rules=rules,
        expected=_expected_rating(events, rows) if games >= rules.pool_games else None,
    )


def _expected_rating(events: Sequence[PooledEvent], rows: Sequence[PoolEvent]) -> InitialRating:
    """Return the first rating of the events that count, by the text of the newest of them (D-8)."""
    counting = [(event, row) for event, row in zip(events, rows, strict=True) if event.counts]
    _newest_event, newest = max(counting, key=lambda pair: pair[0].share.start)
    # By which the event was rated: a text that is adopted later changes no pool of the past.
    rules = rules_named(newest.participant_rating.tournament_rating.rules)
    return first_rating_by(rules, [event.share for event, _row in counting])


def _event(row: PoolEvent, rules: PeriodRules, list_date: date) -> PooledEvent:
    share = row.share
    return PooledEvent(
        share=share,
        name=row.tournament.name,
        last_list=rules.last_list_with(share.start),
        is_lapsed=share.start < rules.first_pool_month(list_date),
    )
