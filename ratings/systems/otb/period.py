"""The calculation of one player on a list: from the previous list and the period's events to the result.

Everything here is a pure function of its arguments. Changes are hundredths of a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, NamedTuple

from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.rules import PeriodRules, first_rating_by, pool_of, shares_of
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    InitialRating,
    KFactor,
    Participation,
    PoolShare,
    RatedEvent,
    Standing,
    Status,
)
from ratings.systems.otb.wording import CORRECTED_FIRST, CORRECTION, INITIAL_LOST, JOINED, MERGED
from ratings.systems.registry import SHIPPED, Adoptions


class State(NamedTuple):
    """A player's figures on the previous list. `rating` is a listed one, `kept` one withheld (9.1)."""

    rating: int | None = None
    kept: int | None = None
    k: int | None = None
    completed: int = 0
    reached_2300: bool = False
    reached_2400: bool = False


@dataclass(frozen=True, slots=True)
class CorrectionShare:
    """The difference of a correction (D-11).

    `first_rating` is an initial rating that a correction gives; `is_lost` means that it removes one.
    """

    difference: int = 0
    games: int = 0
    first_rating: int | None = None
    is_lost: bool = False


class Period(NamedTuple):
    """All inputs of a player's calculation. `pool` has all open events, lapsed and disregarded ones too.

    `barred` is the reason key for which the player is not listed (9.1, 9.2), empty otherwise. `has_joined` means
    that another FIDE ID of the player was merged into this one since the previous list: state and pool are of both.
    The texts of the days come from `adoptions`.
    """

    list_date: date
    birth_year: int | None = None
    state: State = State()
    events: tuple[Event, ...] = ()
    pool: tuple[PoolShare, ...] = ()
    corrections: tuple[CorrectionShare, ...] = ()
    barred: str = ""
    has_joined: bool = False
    adoptions: Adoptions = SHIPPED

    @property
    def rules(self) -> PeriodRules:
        """The text in force on the date of the list."""
        return self.adoptions.text_on(self.list_date)


class PeriodResult(NamedTuple):
    """What the list shows (`rating` None: not listed), what it remembers, and how it came about."""

    outcome: str
    completed: int
    reached_2300: bool
    reached_2400: bool
    rating: int | None = None
    kept: int | None = None
    base: int | None = None
    games: int = 0
    corrected_games: int = 0
    change: int = 0
    correction: int = 0
    rounded: int = 0
    events: tuple[RatedEvent, ...] = ()
    shares: tuple[PoolShare, ...] = ()
    pool: tuple[PoolShare, ...] = ()
    closes_pool: bool = False
    initial: InitialRating | None = None
    initial_rules: str = ""


MERGED_AWAY = PeriodResult(MERGED, completed=0, reached_2300=False, reached_2400=False, closes_pool=True)


def calculate(period: Period) -> PeriodResult:
    """Return the player's result on the list (FIDE R&B 2024, 6, 7 and 9)."""
    if period.barred:
        return _withheld(period)
    events = rated_events(period)
    base = _base(period, events)
    return _unrated(period, events) if base is None else _changed(period, events, base)


def listed_k(
    result: PeriodResult | State,
    *,
    birth_year: int | None,
    list_date: date,
    adoptions: Adoptions = SHIPPED,
) -> KFactor:
    """Return the K that the list publishes, by the text in force on its date (7.3.3, D-4)."""
    return adoptions.text_on(list_date).list_k(
        birth_year=birth_year,
        completed=result.completed,
        reached_2300=result.reached_2300,
        reached_2400=result.reached_2400,
        on=list_date,
    )


def own_standing(event: Event, state: State, adoptions: Adoptions = SHIPPED) -> Standing:
    """Return the status by which a participant's own result is rated (7.2.5, D-2).

    One rated at the start by the standard rating stays so rated. Anybody else has the status of the list before:
    who was unrated at the start is rated from the current rating and K, who was rated and is not any more is
    pooled. One rated on both keeps the rating and K of the start.
    """
    start = event.participation.standing
    if start.status is Status.STANDARD:
        return start
    if state.rating is None:
        return UNRATED
    if start.status is Status.RATED:
        return start
    return Standing(Status.RATED, state.rating, adoptions.text_on(event.start).tournament_k(state.k or 0))


def rated_events(period: Period) -> tuple[RatedEvent, ...]:
    """Return the events in order, each by the own standing, K reduced by the games of all of them (7.3.3)."""
    adoptions = period.adoptions
    owned = [(event, own_standing(event, period.state, adoptions)) for event in _in_order(period.events)]
    drafts = [(event, own, _by_own_standing(event, own, adoptions)) for event, own in owned]
    games = sum(part.games for _event, own, part in drafts if own.status is not Status.UNRATED)
    return tuple(
        RatedEvent(event, own, part, _k_used(period.rules, own, games)) for event, own, part in drafts
    )


def _in_order(events: Sequence[Event]) -> Sequence[Event]:
    # Most players have one event in a period.
    return sorted(events, key=lambda event: event.order) if len(events) > 1 else events


def _by_own_standing(event: Event, own: Standing, adoptions: Adoptions) -> Participation:
    part = event.participation
    if own == part.standing:
        return part
    return adoptions.text_on(event.start).rate_again(own, part.outcomes)


def _k_used(rules: PeriodRules, own: Standing, games: int) -> int:
    return 0 if own.status is Status.UNRATED else rules.reduced_k(own.k or 0, games)


def _rated_games(events: Sequence[RatedEvent]) -> int:
    return sum(item.participation.games for item in events if item.own.status is not Status.UNRATED)


def _base(period: Period, events: Sequence[RatedEvent]) -> int | None:
    """Return the rating to which the change is added, None for a player who stays unrated so far.

    It is one known before, else the standard rating at the start of the earliest event that counts by it (D-5).
    """
    by_standard = (
        item.own.rating for item in events if item.own.status is Status.STANDARD and item.participation.games
    )
    known = _known_rating(period)
    return next(by_standard, None) if known is None else known


def _known_rating(period: Period) -> int | None:
    """Return the rating of the previous list, else one that was withheld, else one that a correction brought."""
    corrected = (item.first_rating for item in period.corrections)
    known = (period.state.rating, period.state.kept, *corrected)
    return next((rating for rating in known if rating is not None), None)


def _is_lost(period: Period) -> bool:
    return any(item.is_lost for item in period.corrections)


def _changed(period: Period, events: tuple[RatedEvent, ...], base: int) -> PeriodResult:
    """Return the rating plus the change, rounded once (6.1, 7.3.4); below the floor it is lost (D-14, D-22)."""
    rules = period.rules
    shares, events = shares_of(rules, period.list_date, events, period.pool)
    games = _rated_games(events)
    change = sum(item.change for item in events)
    correction = sum(item.difference for item in period.corrections)
    rounded = half_away_from_zero_hundredths(change + correction)
    is_lost = _is_lost(period)
    is_listed = not is_lost and base + rounded >= rules.floor
    unlisted = INITIAL_LOST if is_lost else rules.keys.below_floor
    return _remembered(
        period,
        _changed_outcome(period, games) if is_listed else unlisted,
        rating=base + rounded if is_listed else None,
        completed=_completed(period) + games if is_listed else 0,
        base=base,
        games=games,
        change=change,
        correction=correction,
        rounded=rounded,
        events=events,
        shares=shares,
        closes_pool=not is_lost,
    )


def _changed_outcome(period: Period, games: int) -> str:
    if period.state.rating is None and period.state.kept is None:
        has_corrected = any(item.first_rating is not None for item in period.corrections)
        return CORRECTED_FIRST if has_corrected else period.rules.keys.first_by_standard
    if games:
        return period.rules.keys.change
    if period.has_joined:
        return JOINED
    return CORRECTION if period.corrections else period.rules.keys.unchanged


def _unrated(period: Period, events: tuple[RatedEvent, ...]) -> PeriodResult:
    """Return an unrated player's result: an initial rating if the list adds a game and the pool suffices (6.1.4, 7.2).

    If two IDs of one person were merged, the pool is rated even without a new game.
    """
    text = period.rules
    shares, events = shares_of(text, period.list_date, events, period.pool)
    pool = pool_of(text, period.list_date, (*period.pool, *shares))
    games = sum(share.games for share in pool_of(text, period.list_date, shares))
    outcome = JOINED if period.has_joined and not games else _unrated_outcome(text, shares, games)
    known = partial(_remembered, period, games=games, events=events, shares=shares, pool=pool)
    pool_games = sum(share.games for share in pool)
    if not (games or period.has_joined) or pool_games < text.pool_games:
        return known(outcome)
    rules, initial = first_rating(pool, period.adoptions)
    known = partial(known, initial=initial, initial_rules=rules.slug)
    if initial.rating < text.floor:
        return known(text.keys.initial_below_floor)
    return known(text.keys.initial, rating=initial.rating, completed=pool_games, closes_pool=True)


def _unrated_outcome(rules: PeriodRules, shares: Sequence[PoolShare], games: int) -> str:
    if games:
        return rules.keys.pooled
    if any(share.is_disregarded for share in shares):
        return rules.keys.disregarded
    return rules.keys.lapsed if shares else rules.keys.no_game


def _withheld(period: Period) -> PeriodResult:
    """Return the result of a player who may not be listed: rating, games and pool do not change (9.1, D-15; 9.2)."""
    known = None if _is_lost(period) else _known_rating(period)
    correction = sum(item.difference for item in period.corrections)
    rounded = half_away_from_zero_hundredths(correction)
    events = tuple(
        RatedEvent(event, event.participation.standing, event.participation.voided(period.barred))
        for event in _in_order(period.events)
    )
    return _remembered(
        period,
        period.barred,
        kept=None if known is None else known + rounded,
        base=known,
        correction=correction,
        rounded=rounded,
        events=events,
    )


def _remembered(
    period: Period, outcome: str, *, rating: int | None = None, completed: int | None = None, **figures: Any
) -> PeriodResult:
    """Return the figures with what is remembered of the player in any case."""
    rules = period.rules
    return PeriodResult(
        outcome=outcome,
        completed=_completed(period) if completed is None else completed,
        reached_2300=period.state.reached_2300 or (rating or 0) >= rules.reached_low,
        reached_2400=period.state.reached_2400 or (rating or 0) >= rules.reached_high,
        rating=rating,
        corrected_games=_corrected_games(period),
        **figures,
    )


def _completed(period: Period) -> int:
    """Return the games that count for K so far, with what corrections add to them or take away (D-11)."""
    return max(0, period.state.completed + _corrected_games(period))


def _corrected_games(period: Period) -> int:
    return sum(item.games for item in period.corrections)


def first_rating(
    pool: Sequence[PoolShare], adoptions: Adoptions = SHIPPED
) -> tuple[PeriodRules, InitialRating]:
    """Return the text of the pool's newest event and the first rating by it (7.2, D-8)."""
    rules = adoptions.text_on(max(share.start for share in pool))
    return rules, first_rating_by(rules, pool)
