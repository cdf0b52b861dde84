"""The pool of an unrated player: which events are in it and what first rating comes of it (6.1.4, 7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from ratings.systems.otb import shared
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating, PoolShare, Status
from ratings.systems.registry import rules_on

if TYPE_CHECKING:
    from ratings.systems.otb.period import RatedEvent

DISREGARDED = "disregarded-7.2.2"


def shares_of(
    events: tuple[RatedEvent, ...], pool: Sequence[PoolShare]
) -> tuple[tuple[PoolShare, ...], tuple[RatedEvent, ...]]:
    """Return what a list's events add to the pool, and the events with a disregarded one voided (7.2.2, D-6).

    The first event is the first by list, then start, end and id, with a game against a rated opponent since the
    player last was rated; `pool` holds all events since then, lapsed ones included.
    """
    first = next((item for item in events if _is_pooled(item)), None)
    if first is None:
        return (), events
    if pool or first.participation.half_points:
        return tuple(_share(item) for item in events if _is_pooled(item)), events
    shares = tuple(replace(_share(item), is_disregarded=item is first) for item in events if _is_pooled(item))
    voided = replace(first, participation=first.participation.voided(DISREGARDED))
    return shares, tuple(voided if item is first else item for item in events)


def _is_pooled(item: RatedEvent) -> bool:
    return item.own.status is Status.UNRATED and item.participation.games > 0


def _share(item: RatedEvent) -> PoolShare:
    part = item.participation
    return PoolShare(
        *(item.event.event_id, item.event.start, item.event.end),
        *(part.opponents_sum, part.games, part.half_points),
    )


def pool_of(list_date: date, shares: Iterable[PoolShare]) -> tuple[PoolShare, ...]:
    """Return the events of the 26 months before the list that are not disregarded, in order (6.1.4)."""
    first = shared.first_pool_month(list_date)
    kept = (share for share in shares if not share.is_disregarded and share.start >= first)
    return tuple(sorted(kept, key=lambda share: share.order))


def first_rating(pool: Sequence[PoolShare]) -> tuple[PeriodRules, InitialRating]:
    """Return the version of the pool's newest event and the first rating by it (7.2, D-8)."""
    rules = rules_on(max(share.start for share in pool))
    return rules, rules.initial_rating(
        opponents_sum=sum(share.opponents_sum for share in pool),
        games=sum(share.games for share in pool),
        half_points=sum(share.half_points for share in pool),
    )
