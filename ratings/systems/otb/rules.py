"""The rules that a text of the regulations defines, and those for a participant's games that no text changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ratings.systems.arithmetic import scoring_probability
from ratings.systems.otb.values import (
    UNRATED,
    Event,
    InitialRating,
    KFactor,
    Outcome,
    Participation,
    PlayerState,
    PoolShare,
    RatedEvent,
    Remembered,
    Seat,
    Status,
    StatusAtStart,
)
from ratings.systems.otb.wording import CLAUSES
from ratings.systems.words import FormulaStep, Reason

# Starting ranks begin with 1.
NOBODY = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeriodRules(ABC):
    """One text of the rapid and blitz regulations: figures, formulas, article numbers and sentences.

    `shipped_from` is the first day of the adoption included in the portal, None for a text that is not adopted (D-90).
    K depends on having reached `reached_low` and `reached_high`; `imported_k` are the K of an imported list for players
    who have reached the higher one, for new players, and for all others (D-12). Concepts have their articles in
    `clauses`, those of reasons their keys in `keys`; `points` are the matters on which texts differ, each with the rule
    of this text and its articles or decisions.
    """

    slug: str
    title: str
    shipped_from: date | None = None
    floor: int
    cap: int
    pool_games: int
    pool_months: int
    newcomer_games: int
    most_points: int
    junior_age: int
    reached_low: int
    reached_high: int
    imported_k: tuple[int, int, int]
    active_lists: int
    clauses: Mapping[str, str] = field(default_factory=lambda: CLAUSES)
    articles: Mapping[str, str]
    decisions: Mapping[str, str]
    reasons: Mapping[str, Reason]
    points: Mapping[str, tuple[str, ...]]
    keys: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", {reason.concept: reason.key for reason in self.reasons.values()})

    @abstractmethod
    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """Return for each D of a tournament the D that counts and the reason key, empty if D is unchanged (7.3.1)."""

    @abstractmethod
    def tournament_k(self, listed: KFactor) -> KFactor:
        """Return the K for a tournament from the K that the list in force shows (7.3.3)."""

    @abstractmethod
    def list_k(self, known: Remembered, *, birth_year: int | None, on: date) -> KFactor:
        """Return the K that a list of that date publishes (7.3.3, D-4)."""

    @abstractmethod
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """Return a first rating from a pool of at least one game (7.2.3, 7.2.4)."""

    @abstractmethod
    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[FormulaStep]:
        """Return how `initial_rating` came to its result, step by step."""

    def void_by_ratings(self, white: StatusAtStart, black: StatusAtStart) -> str:
        """Return the reason key for which a game between two standings at the start counts for neither, or none."""
        return ""

    def standard_k(self, birth_year: int | None, on: date) -> KFactor:
        """Return the K of a player rated by a standard rating: no game completed, nothing reached (D-21)."""
        return self.tournament_k(self.list_k(PlayerState(), birth_year=birth_year, on=on))

    def reduced_k(self, k: int, games: int) -> int:
        """Return the largest K up to `k` whose product with the games of the list is not too large (7.3.3)."""
        return min(k, self.most_points // games) if games else k

    def is_junior(self, birth_year: int | None, on: date) -> bool:
        """Return whether the list's year is at most that of the last birthday of a junior (FIDE R&B 2024, 7.3.3)."""
        return birth_year is not None and on.year - birth_year <= self.junior_age

    def first_pool_month(self, list_date: date) -> date:
        """Return the first of the months before a list's date that are pooled (6.1.4)."""
        return months_after(list_date, -self.pool_months)

    def last_list_with(self, start: date) -> date:
        """Return the last list for which an event of a day is in a pool (6.1.4)."""
        return months_after(start, self.pool_months)

    def rate_participant(
        self, standing: StatusAtStart, seats: Sequence[Seat], opponents: Mapping[int, StatusAtStart]
    ) -> Participation:
        """Return every round's outcome and the sums, by the participant's standing (7.2, 7.3)."""
        if standing.status is Status.UNRATED:
            outcomes = tuple(
                self._unrated_outcome(seat, opponents.get(seat.opponent or NOBODY, UNRATED)) for seat in seats
            )
        else:
            outcomes = self._rated_outcomes(standing, seats, opponents)
        return sum_up(standing, outcomes)

    def rate_again(self, standing: StatusAtStart, outcomes: Sequence[Outcome]) -> Participation:
        """Return a participation rated by another own standing; the opponents stay as they were (7.2.5)."""
        seats = [self._seat_of(outcome) for outcome in outcomes]
        # An opponent met twice may have a game that counts for nobody, which does not name the rating.
        rated = [outcome for outcome in outcomes if outcome.counts]
        opponents = {outcome.opponent: self._opponent_of(outcome) for outcome in rated if outcome.opponent}
        return self.rate_participant(standing, seats, opponents)

    def _rated_outcomes(
        self, own: StatusAtStart, seats: Sequence[Seat], opponents: Mapping[int, StatusAtStart]
    ) -> tuple[Outcome, ...]:
        # A void game must not be the one in which the cap helps the higher rated player (D-3).
        met = [UNRATED if seat.void else opponents.get(seat.opponent or NOBODY, UNRATED) for seat in seats]
        differences = [(own.rating or 0) - other.rating for other in met if other.rating is not None]
        counted = iter(self.counted_differences(differences))
        return tuple(
            self._leave_out(seat)
            if other.rating is None
            else self._count_game(seat, own, other, *next(counted))
            for seat, other in zip(seats, met, strict=True)
        )

    def _count_game(
        self, seat: Seat, own: StatusAtStart, opponent: StatusAtStart, counted: int, note: str
    ) -> Outcome:
        """Return the outcome of a game between two rated players; 7.2.1 is a reason where one is so by it."""
        is_standard = own.status is Status.STANDARD or opponent.status is Status.STANDARD
        keys = (self.keys["counted"], note, self.keys["standard-rating"] if is_standard else "")
        reasons, figures = figures_of_game(counted, seat.half_points, *keys)
        difference = (own.rating or 0) - (opponent.rating or 0)
        # Straight from a tuple: a month has three million, and the constructor takes twice the time.
        return tuple.__new__(Outcome, (*seat[:HELD], reasons, opponent.rating, difference, *figures))

    def _leave_out(self, seat: Seat) -> Outcome:
        """Return the outcome of a round that counts for nothing."""
        return Outcome(*seat[:HELD], (seat.void or self.keys["unrated-opponent"],))

    def _unrated_outcome(self, seat: Seat, opponent: StatusAtStart) -> Outcome:
        """Return the outcome of an unrated player's game: one with a rated opponent joins the pool (6.1.4)."""
        if seat.void or opponent.rating is None:
            return self._leave_out(seat)
        is_standard = opponent.status is Status.STANDARD
        reasons = (
            (self.keys["pooled"], self.keys["standard-rating"]) if is_standard else (self.keys["pooled"],)
        )
        return Outcome(*seat[:HELD], reasons, opponent.rating)

    def _seat_of(self, outcome: Outcome) -> Seat:
        first = outcome.reasons[0]
        by_standing = (self.keys["counted"], self.keys["pooled"], self.keys["unrated-opponent"])
        return Seat(
            outcome.round,
            outcome.opponent,
            outcome.colour,
            outcome.code,
            outcome.half_points,
            "" if first in by_standing else first,
        )

    def _opponent_of(self, outcome: Outcome) -> StatusAtStart:
        """Return the opponent's standing at the start: own is never a standard rating where status changes."""
        is_standard = self.keys["standard-rating"] in outcome.reasons
        return StatusAtStart(Status.STANDARD if is_standard else Status.RATED, outcome.opponent_rating)


# What a seat and its outcome have in common, from the round to the half points.
HELD: Final = 5
MONTHS_A_YEAR = 12


def months_after(day: date, months: int) -> date:
    """Return the first of the month that is so many months after that of a day, before it where negative."""
    number = day.year * MONTHS_A_YEAR + day.month - 1 + months
    return date(number // MONTHS_A_YEAR, number % MONTHS_A_YEAR + 1, 1)


def as_text(value: Fraction) -> str:
    """Return an exact fraction as whole and remainder: `1867 3/7`."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole} {rest}/{value.denominator}" if rest else str(whole)


# There are some 800 differences that count, and three results.
@lru_cache(maxsize=1 << 13)
def figures_of_game(
    difference: int, half_points: int, *keys: str
) -> tuple[tuple[str, ...], tuple[int, int, int]]:
    """Return the reason keys of a game that counts (empty ones left out), its difference, PD and change.

    The change is the score minus PD, in hundredths (FIDE R&B 2024, 7.3.2; 2022, 7.32).
    """
    pd = scoring_probability(difference)
    return tuple(key for key in keys if key), (difference, pd, 50 * half_points - pd)


def sum_up(standing: StatusAtStart, outcomes: tuple[Outcome, ...]) -> Participation:
    """Return the sums over the outcomes that count."""
    games = half_points = opponents_sum = change = 0
    for outcome in outcomes:
        if outcome.opponent_rating is not None:
            games += 1
            half_points += outcome.half_points
            opponents_sum += outcome.opponent_rating
            change += outcome.change or 0
    return Participation(standing, outcomes, games, half_points, opponents_sum, change)


def shares_of(
    rules: PeriodRules, list_date: date, events: tuple[RatedEvent, ...], pool: Sequence[PoolShare]
) -> tuple[tuple[PoolShare, ...], tuple[RatedEvent, ...]]:
    """Return the pool shares of a list's events by its text, and the events, those that do not count voided.

    The first event is the first by list, then start, end and ID, with a game against a rated opponent since the
    player last was rated; `pool` has all events since then, lapsed ones included (7.2.2, D-6). An event that is rated
    after its months have passed has lapsed at once (6.1.4).
    """
    if not any(map(_is_pooled, events)):
        return (), events
    first = "" if pool else next(item.event.event_id for item in events if _is_pooled(item))
    # One person may have two lines of a report (D-141): they are one event.
    of_first = [item for item in events if _is_pooled(item) and item.event.event_id == first]
    if any(item.participation.half_points for item in of_first):
        first = ""
    shares: list[PoolShare] = []
    seen: list[RatedEvent] = []
    for item in events:
        void = _void(rules, item, first, list_date)
        if _is_pooled(item):
            shares.append(share_of(item)._replace(is_disregarded=void == rules.keys["disregarded"]))
        seen.append(item._replace(participation=item.participation.leave_out(void)) if void else item)
    return tuple(shares), tuple(seen)


def _void(rules: PeriodRules, item: RatedEvent, first: str, list_date: date) -> str:
    if not _is_pooled(item):
        return ""
    if item.event.event_id == first:
        return rules.keys["disregarded"]
    return rules.keys["lapsed"] if item.event.start < rules.first_pool_month(list_date) else ""


def may_be_void(rules: PeriodRules, event: Event, list_date: date) -> bool:
    """Return whether an unrated player's event may not count: then each of its games gets the reason."""
    has_lapsed = event.start < rules.first_pool_month(list_date)
    return has_lapsed or not event.participation.half_points


def _is_pooled(item: RatedEvent) -> bool:
    return not item.is_rated and item.participation.games > 0


def share_of(item: RatedEvent) -> PoolShare:
    """Return what an event adds to the pool by the games that count."""
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


def first_rating_by(rules: PeriodRules, pool: Sequence[PoolShare]) -> InitialRating:
    """Return the first rating that a text gives for a pool of at least one game."""
    return rules.initial_rating(
        opponents_sum=sum(share.opponents_sum for share in pool),
        games=sum(share.games for share in pool),
        half_points=sum(share.half_points for share in pool),
    )
