"""What a text of the regulations has to say, and what no text changes about a participant's games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ratings.systems.otb import shared
from ratings.systems.otb.values import (
    UNRATED,
    InitialRating,
    KFactor,
    Outcome,
    Participation,
    Seat,
    Standing,
    Status,
)
from ratings.systems.otb.wording import Clauses, Keys
from ratings.systems.words import Reason, Step

# Starting ranks begin with 1.
NOBODY = 0


@dataclass(frozen=True, slots=True)
class Point:
    """A matter on which texts differ: what it is about, what this text says, and its articles or decisions."""

    matter: str
    text: str
    articles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeriodRules(ABC):
    """One text of the rapid and blitz regulations: figures, formulas, article numbers and sentences.

    `shipped_from` is the first day of the adoption with which the portal comes, None for a text on offer (D-90).
    `reached_low` and `reached_high` are the ratings that K remembers to have been reached; `imported_k` are the K
    by which an imported list tells who has reached the higher one, who is new, and anybody else (D-12).
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
    clauses: Clauses
    keys: Keys
    articles: Mapping[str, str]
    decisions: Mapping[str, str]
    reasons: Mapping[str, Reason]
    points: Sequence[Point]

    @abstractmethod
    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """Return for each D of a tournament the D that counts and the reason key, empty where D stands (7.3.1)."""

    @abstractmethod
    def tournament_k(self, listed_k: int) -> int:
        """Return the K for a tournament from the K that the list in force shows (7.3.3)."""

    @abstractmethod
    def list_k(
        self, *, birth_year: int | None, completed: int, reached_2300: bool, reached_2400: bool, on: date
    ) -> KFactor:
        """Return the K that a list of that date publishes (D-4)."""

    @abstractmethod
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """Return a first rating from a pool of at least one game (7.2.3, 7.2.4)."""

    @abstractmethod
    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[Step]:
        """Return how `initial_rating` came to its result, step by step."""

    def standard_k(self, birth_year: int | None, on: date) -> int:
        """Return the K of a player rated by a standard rating: no game completed, nothing reached (D-21)."""
        k = self.list_k(birth_year=birth_year, completed=0, reached_2300=False, reached_2400=False, on=on)
        return self.tournament_k(k.k)

    def reduced_k(self, k: int, games: int) -> int:
        """Return the largest K up to `k` whose product with the games of the list is not too large (7.3.3)."""
        return min(k, self.most_points // games) if games else k

    def is_junior(self, birth_year: int | None, on: date) -> bool:
        """Whether the list's year is at most that of the last birthday of a junior (FIDE R&B 2024, 7.3.3)."""
        return birth_year is not None and on.year - birth_year <= self.junior_age

    def first_pool_month(self, list_date: date) -> date:
        """Return the first of the months before a list's date that are pooled (6.1.4)."""
        return shared.months_after(list_date, -self.pool_months)

    def last_list_with(self, start: date) -> date:
        """Return the last list for which an event of a day is in a pool (6.1.4)."""
        return shared.months_after(start, self.pool_months)

    def rate_participant(
        self, standing: Standing, seats: Sequence[Seat], opponents: Mapping[int, Standing]
    ) -> Participation:
        """Return every round's outcome and the sums, by the participant's standing (7.2, 7.3)."""
        if standing.status is Status.UNRATED:
            outcomes = tuple(
                self._unrated_outcome(seat, opponents.get(seat.opponent or NOBODY, UNRATED)) for seat in seats
            )
        else:
            outcomes = self._rated_outcomes(standing, seats, opponents)
        return shared.summed(standing, outcomes)

    def rate_again(self, standing: Standing, outcomes: Sequence[Outcome]) -> Participation:
        """Return a participation rated by another own standing; the opponents stay as they were (7.2.5)."""
        seats = [self._seat_of(outcome) for outcome in outcomes]
        # An opponent met twice may have a game that counts for nobody, which does not name the rating.
        rated = [outcome for outcome in outcomes if outcome.counts]
        opponents = {outcome.opponent: self._opponent_of(outcome) for outcome in rated if outcome.opponent}
        return self.rate_participant(standing, seats, opponents)

    def _rated_outcomes(
        self, own: Standing, seats: Sequence[Seat], opponents: Mapping[int, Standing]
    ) -> tuple[Outcome, ...]:
        met = [UNRATED if seat.void else opponents.get(seat.opponent or NOBODY, UNRATED) for seat in seats]
        differences = [(own.rating or 0) - other.rating for other in met if other.rating is not None]
        counted = iter(self.counted_differences(differences))
        return tuple(
            self._uncounted(seat) if other.rating is None else self._counted(seat, own, other, *next(counted))
            for seat, other in zip(seats, met, strict=True)
        )

    def _counted(self, seat: Seat, own: Standing, opponent: Standing, counted: int, note: str) -> Outcome:
        """Return the outcome of a game between two rated players; 7.2.1 is a reason where one is so by it."""
        is_standard = own.status is Status.STANDARD or opponent.status is Status.STANDARD
        keys = (self.keys.counted, note, self.keys.standard_rating if is_standard else "")
        reasons, figures = shared.figures_of_game(counted, seat.half_points, *keys)
        difference = (own.rating or 0) - (opponent.rating or 0)
        # Straight from a tuple: a month has three million, and the constructor takes twice the time.
        return tuple.__new__(Outcome, (*seat[: shared.HELD], reasons, opponent.rating, difference, *figures))

    def _uncounted(self, seat: Seat) -> Outcome:
        return shared.uncounted(seat, seat.void or self.keys.unrated_opponent)

    def _unrated_outcome(self, seat: Seat, opponent: Standing) -> Outcome:
        """Return the outcome of an unrated player's game: one with a rated opponent joins the pool (6.1.4)."""
        if seat.void or opponent.rating is None:
            return self._uncounted(seat)
        is_standard = opponent.status is Status.STANDARD
        reasons = (self.keys.pooled, self.keys.standard_rating) if is_standard else (self.keys.pooled,)
        return Outcome(*seat[: shared.HELD], reasons, opponent.rating)

    def _seat_of(self, outcome: Outcome) -> Seat:
        first = outcome.reasons[0]
        by_standing = (self.keys.counted, self.keys.pooled, self.keys.unrated_opponent)
        return Seat(
            outcome.round,
            outcome.opponent,
            outcome.colour,
            outcome.code,
            outcome.half_points,
            "" if first in by_standing else first,
        )

    def _opponent_of(self, outcome: Outcome) -> Standing:
        """Return the opponent's standing at the start: own is never a standard rating where status changes."""
        is_standard = self.keys.standard_rating in outcome.reasons
        return Standing(Status.STANDARD if is_standard else Status.RATED, outcome.opponent_rating)
