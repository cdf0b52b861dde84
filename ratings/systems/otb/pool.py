"""The pool of an unrated player: which events are in it and what first rating comes of it (6.1.4, 7.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import Event, InitialRating, PoolShare, RatedEvent, Status
from ratings.systems.registry import SHIPPED, Adoptions


def shares_of(
    rules: PeriodRules, list_date: date, events: tuple[RatedEvent, ...], pool: Sequence[PoolShare]
) -> tuple[tuple[PoolShare, ...], tuple[RatedEvent, ...]]:
    """Return what a list's events add to the pool by its text, and the events with those voided that do not count.

    The first event is the first by list, then start, end and id, with a game against a rated opponent since the
    player last was rated; `pool` holds all events since then, lapsed ones included (7.2.2, D-6). One that is rated
    only when its months are over has lapsed on arrival (6.1.4).
    """
    if not any(map(_is_pooled, events)):
        return (), events
    first = None if pool else next((item for item in events if _is_pooled(item)), None)
    shares: list[PoolShare] = []
    seen: list[RatedEvent] = []
    for item in events:
        void = _void(rules, item, first, list_date)
        if _is_pooled(item):
            shares.append(_share(item)._replace(is_disregarded=void == rules.keys.disregarded))
        seen.append(item._replace(participation=item.participation.voided(void)) if void else item)
    return tuple(shares), tuple(seen)


def _void(rules: PeriodRules, item: RatedEvent, first: RatedEvent | None, list_date: date) -> str:
    if not _is_pooled(item):
        return ""
    if item is first and not item.participation.half_points:
        return rules.keys.disregarded
    return rules.keys.lapsed if item.event.start < rules.first_pool_month(list_date) else ""


def may_be_void(rules: PeriodRules, event: Event, list_date: date) -> bool:
    """Whether an unrated player's event can turn out to count for nothing: every game of it says so then."""
    has_lapsed = event.start < rules.first_pool_month(list_date)
    return has_lapsed or not event.participation.half_points


def _is_pooled(item: RatedEvent) -> bool:
    return item.own.status is Status.UNRATED and item.participation.games > 0


def _share(item: RatedEvent) -> PoolShare:
    part = item.participation
    return PoolShare(
        item.event.event_id,
        item.event.start,
        item.event.end,
        part.opponents_sum,
        part.games,
        part.half_points,
    )


def pool_of(rules: PeriodRules, list_date: date, shares: Iterable[PoolShare]) -> tuple[PoolShare, ...]:
    """Return the events of the months before the list that are not disregarded, in order (6.1.4)."""
    first = rules.first_pool_month(list_date)
    kept = (share for share in shares if not share.is_disregarded and share.start >= first)
    return tuple(sorted(kept, key=lambda share: share.order))


def first_rating(
    pool: Sequence[PoolShare], adoptions: Adoptions = SHIPPED
) -> tuple[PeriodRules, InitialRating]:
    """Return the text of the pool's newest event and the first rating by it (7.2, D-8)."""
    rules = adoptions.text_on(max(share.start for share in pool))
    return rules, first_rating_by(rules, pool)


def first_rating_by(rules: PeriodRules, pool: Sequence[PoolShare]) -> InitialRating:
    """Return the first rating that a text gives for a pool of at least one game."""
    return rules.initial_rating(
        opponents_sum=sum(share.opponents_sum for share in pool),
        games=sum(share.games for share in pool),
        half_points=sum(share.half_points for share in pool),
    )
