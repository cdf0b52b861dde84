"""The calculation of one player on a list: from the previous list and the period's events to the result.

Everything here is a pure function of its arguments. Changes are hundredths of a point.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, NamedTuple

from ratings.systems.arithmetic import half_away_from_zero_hundredths
from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.rules import PeriodRules, first_rating_by, pool_of, shares_of
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    InitialRating,
    PlayerState,
    PoolShare,
    RatedEvent,
    Status,
    StatusAtStart,
)
from ratings.systems.otb.wording import CORRECTED_FIRST, CORRECTION, INITIAL_LOST, JOINED, MERGED
from ratings.systems.registry import SHIPPED, Adoptions

EXCLUDED = "excluded-9.1"
Span = tuple[date, date]


class CorrectionEffect(NamedTuple):
    """Corrections concern the player: only they give a rating, or they take it away (D-110), or they change figures."""

    is_first: bool = False
    is_lost: bool = False


class Period(NamedTuple):
    """All inputs of a player's calculation. `pool` has all open events, lapsed and disregarded ones too.

    `barred` is the reason key for which the player is not listed (9.1, 9.2), empty otherwise. Events that begin in a
    span of `void`, from its first day to before its last, count for nothing for ever (D-114, D-143); of one who is
    barred from no known day on, none counts. `has_joined` means that another FIDE ID of the player was merged into this
    one since the previous list: state and pool are of both. The texts of the days come from `adoptions`. The list
    adjusts all its ratings by `adjustment`, if there is one (D-133).
    """

    list_date: date
    birth_year: int | None = None
    state: PlayerState = PlayerState()
    events: tuple[Event, ...] = ()
    pool: tuple[PoolShare, ...] = ()
    correction: CorrectionEffect | None = None
    barred: str = ""
    void: tuple[Span, ...] = ()
    has_joined: bool = False
    adoptions: Adoptions = SHIPPED
    adjustment: Adjustment | None = None

    @property
    def rules(self) -> PeriodRules:
        """The text in force on the date of the list."""
        return self.adoptions.text_on(self.list_date)

    def adjusted(self, rating: int) -> int:
        """Return a rating as the list adjusts it; one that is withheld is not a rating of the list (D-133)."""
        if self.adjustment is None or self.barred:
            return rating
        return self.adjustment.adjusted(rating)

    def is_void(self, event: Event) -> bool:
        """Return whether an event counts for nothing: the player was barred when it began (D-114, D-143, 9.2)."""
        if self.barred and not self.void:
            return True
        return any(first <= event.start < end for first, end in self.void)


class PeriodResult(NamedTuple):
    """What the list shows (`rating` None: not listed), what it remembers, and how it came about.

    `adjustment` are the points that the list adds to the rating by a formula for all, after its own changes (D-133).
    """

    outcome: str
    completed: int
    reached_2300: bool
    reached_2400: bool
    rating: int | None = None
    kept: int | None = None
    base: int | None = None
    games: int = 0
    change: int = 0
    correction: int = 0
    rounded: int = 0
    events: tuple[RatedEvent, ...] = ()
    shares: tuple[PoolShare, ...] = ()
    pool: tuple[PoolShare, ...] = ()
    closes_pool: bool = False
    initial: InitialRating | None = None
    initial_rules: str = ""
    adjustment: int = 0

    def to_keep(self, rerated: Collection[int] = ()) -> PeriodResult:
        """Return the result as lists keep it, by which standings each event was rated and to which sums.

        The games are with the reports, but those of `rerated` events, by their places; what was pooled is in the pools.
        """
        if rerated:
            events = tuple(item.to_keep(has_games=place in rerated) for place, item in enumerate(self.events))
        else:
            events = tuple([item.to_keep() for item in self.events])
        # Straight from a tuple: a month has two hundred thousand, and `_replace` takes three times as long.
        return tuple.__new__(PeriodResult, (*self[:EVENTS], events, (), *self[EVENTS + 2 :]))


EVENTS = PeriodResult._fields.index("events")
# The pool is closed, since its events go on in that of the person.
MERGED_AWAY = PeriodResult(MERGED, completed=0, reached_2300=False, reached_2400=False, closes_pool=True)


def calculate(period: Period) -> PeriodResult:
    """Return the player's result on the list (FIDE R&B 2024, 6, 7 and 9)."""
    events = _with_k(period, _by_own_standings(period))
    if period.state.rating is None:
        return _without_rating(period, events)
    return _change_rating(period, events, period.state.rating, period.state.completed)


def own_standing(event: Event, state: PlayerState, adoptions: Adoptions = SHIPPED) -> StatusAtStart:
    """Return the status by which a participant's own result is rated (7.2.5, D-2, D-110).

    One rated at the start by the standard rating stays so rated. Anybody else has the status before the list: who was
    unrated at the start is rated from the current rating and K, who was rated and is not any more is pooled. One
    rated on both keeps the rating and K of the start.
    """
    start = event.participation.standing
    if start.status is Status.STANDARD:
        return start
    if state.rating is None:
        return UNRATED
    if start.status is Status.RATED:
        return start
    factor = adoptions.text_on(event.start).tournament_k(state.listed_k)
    return StatusAtStart(Status.RATED, state.corrected_rating, *factor)


def _by_own_standings(period: Period) -> tuple[RatedEvent, ...]:
    """Return the events in order, each by the own standing, without K; those of a bar count for nothing (D-114)."""
    # Most players have one event in a period.
    events = period.events
    if len(events) > 1:
        events = tuple(sorted(events, key=lambda event: event.order))
    return tuple(_by_own_standing(period, event) for event in events)


def _by_own_standing(period: Period, event: Event) -> RatedEvent:
    part = event.participation
    if period.is_void(event):
        return RatedEvent(event, part.leave_out(period.barred or EXCLUDED))
    own = own_standing(event, period.state, period.adoptions)
    if own != part.standing:
        part = period.adoptions.text_on(event.start).rate_again(own, part.outcomes)
    return RatedEvent(event, part)


def _with_k(period: Period, events: tuple[RatedEvent, ...], pooled: int = 0) -> tuple[RatedEvent, ...]:
    """Return the events with their K, reduced by all games of the player that count on the list (7.3.3)."""
    games, rules = _rated_games(events) + pooled, period.rules
    return tuple(
        item
        if not item.is_rated or period.is_void(item.event)
        else RatedEvent(*item[:2], rules.reduced_k(item.own.k or 0, games))
        for item in events
    )


def _rated_games(events: Sequence[RatedEvent]) -> int:
    return sum(item.participation.games for item in events if item.is_rated)


def _without_rating(period: Period, events: tuple[RatedEvent, ...]) -> PeriodResult:
    """Return the result of a player without a rating before: first by the pool, else by the standard rating.

    An initial rating needs a game that the list adds, or a merged ID, and a pool of five games and the floor (6.1.4,
    7.2). Where tournaments count by the standard rating too, their change is added to it; without it, the base is the
    standard rating at the start of the earliest (D-5), and the pool is emptied (D-113).
    """
    text = period.rules
    shares, events = shares_of(text, period.list_date, events, period.pool)
    games = sum(share.games for share in pool_of(text, period.list_date, shares))
    pool = pool_of(text, period.list_date, (*period.pool, *shares))
    by_standard = next(
        (
            item.own.rating
            for item in events
            if item.own.status is Status.STANDARD and item.participation.games
        ),
        None,
    )
    pool_games = sum(share.games for share in pool)
    figures: dict[str, Any] = {"pool": pool}
    has_new = bool(games or period.has_joined or by_standard is not None)
    is_enough = has_new and pool_games >= text.pool_games
    if is_enough:
        rules, initial = first_rating(pool, period.adoptions)
        figures |= {"initial": initial, "initial_rules": rules.slug}
        # The floor is that of the list's date, also where an older text gives the rating (D-8, D-14).
        if period.adjusted(initial.rating) >= text.floor:
            return _first(period, events, initial.rating, pooled=games, pool_games=pool_games)._replace(
                shares=shares, **figures
            )
    if by_standard is not None:
        result = _change_rating(period, events, by_standard, period.state.completed)
        return result._replace(shares=shares)
    outcome = text.keys["initial-below-floor"] if is_enough else _unrated_outcome(period, shares, games)
    return _add_remembered(period, outcome, games=games, events=events, shares=shares, **figures)


def _first(
    period: Period, events: tuple[RatedEvent, ...], initial: int, *, pooled: int, pool_games: int
) -> PeriodResult:
    """Return an initial rating from the pool, with the change of tournaments by the standard rating (D-113)."""
    if not _rated_games(events):
        outcome = period.rules.keys["initial"]
        rating = period.adjusted(initial)
        known = _add_remembered(
            period, outcome, rating=rating, completed=pool_games, games=pooled, events=events
        )
        return known._replace(closes_pool=True, adjustment=rating - initial)
    result = _change_rating(period, _with_k(period, events, pooled), initial, pool_games)
    outcome = period.rules.keys["initial"] if result.rating is not None else result.outcome
    return result._replace(outcome=outcome, games=result.games + pooled)


def _change_rating(period: Period, events: tuple[RatedEvent, ...], base: int, completed: int) -> PeriodResult:
    """Return the rating plus the change, rounded once (6.1, 7.3.4); below the floor it is lost (D-14, D-22)."""
    rules = period.rules
    games = _rated_games(events)
    change = sum(item.change for item in events)
    rounded = half_away_from_zero_hundredths(change + period.state.difference)
    # After the list's own changes and before the floor (D-133).
    rating = period.adjusted(base + rounded)
    # A withheld rating is kept whatever it is, and meets the floor when it is shown again (9.1, D-15).
    is_listed = rating >= rules.floor or bool(period.barred)
    return _add_remembered(
        period,
        _changed_outcome(period, games) if is_listed else rules.keys["below-floor"],
        rating=rating if is_listed else None,
        # Losing the rating starts the count of the 30 games anew.
        completed=completed + games if is_listed else 0,
        base=base,
        games=games,
        change=change,
        correction=period.state.difference,
        rounded=rounded,
        adjustment=rating - base - rounded,
        events=events,
        closes_pool=True,
    )


def _changed_outcome(period: Period, games: int) -> str:
    if period.state.rating is None:
        return period.rules.keys["first-by-standard"]
    if period.correction is not None and period.correction.is_first:
        return CORRECTED_FIRST
    if games:
        return period.rules.keys["change"]
    if period.has_joined:
        return JOINED
    return period.rules.keys["unchanged"] if period.correction is None else CORRECTION


def _unrated_outcome(period: Period, shares: Sequence[PoolShare], games: int) -> str:
    keys = period.rules.keys
    if period.correction is not None and period.correction.is_lost:
        return INITIAL_LOST
    if games:
        return keys["pooled"]
    if period.has_joined:
        return JOINED
    if any(share.is_disregarded for share in shares):
        return keys["disregarded"]
    return keys["lapsed"] if shares else keys["no-game"]


def _add_remembered(
    period: Period, outcome: str, *, rating: int | None = None, completed: int | None = None, **figures: Any
) -> PeriodResult:
    """Return the figures with what is remembered of the player in any case; a barred player keeps the rating (D-15)."""
    rules, state, reason = period.rules, period.state, period.barred
    shown = None if reason else rating
    return PeriodResult(
        outcome=reason or outcome,
        completed=state.completed if completed is None else completed,
        # Nobody has seen a withheld rating: it has reached nothing (D-112).
        reached_2300=state.reached_2300 or (shown or 0) >= rules.reached_low,
        reached_2400=state.reached_2400 or (shown or 0) >= rules.reached_high,
        rating=shown,
        kept=rating if reason else None,
        **figures,
    )


def first_rating(
    pool: Sequence[PoolShare], adoptions: Adoptions = SHIPPED
) -> tuple[PeriodRules, InitialRating]:
    """Return the text of the pool's newest event and the first rating by it (7.2, D-8)."""
    rules = adoptions.text_on(max(share.start for share in pool))
    return rules, first_rating_by(rules, pool)
