"""What a version of the regulations has to say, and what no version changes about a participant's games."""

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

UNRATED_OPPONENT = "unrated-opponent-7.3.1"
# Starting ranks begin with 1.
NOBODY = 0


@dataclass(frozen=True, slots=True)
class PeriodRules(ABC):
    """One version of the rapid and blitz regulations; `floor` is the lowest rating that is published."""

    slug: str
    title: str
    first_day: date
    last_day: date | None
    floor: int

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

    def standard_k(self, birth_year: int | None, on: date) -> int:
        """Return the K of a player rated by a standard rating: no game completed, nothing reached (D-21)."""
        k = self.list_k(birth_year=birth_year, completed=0, reached_2300=False, reached_2400=False, on=on)
        return self.tournament_k(k.k)

    def rate_participant(
        self, standing: Standing, seats: Sequence[Seat], opponents: Mapping[int, Standing]
    ) -> Participation:
        """Return every round's outcome and the sums, by the participant's standing (7.2, 7.3)."""
        if standing.status is Status.UNRATED:
            outcomes = tuple(
                _unrated_outcome(seat, opponents.get(seat.opponent or NOBODY, UNRATED)) for seat in seats
            )
        else:
            outcomes = self._rated_outcomes(standing, seats, opponents)
        return shared.summed(standing, outcomes)

    def rate_again(self, standing: Standing, outcomes: Sequence[Outcome]) -> Participation:
        """Return a participation rated by another own standing; the opponents stay as they were (7.2.5)."""
        seats = [_seat_of(outcome) for outcome in outcomes]
        # An opponent met twice may have a game that counts for nobody, which does not name the rating.
        rated = [outcome for outcome in outcomes if outcome.counts]
        opponents = {outcome.opponent: _opponent_of(outcome) for outcome in rated if outcome.opponent}
        return self.rate_participant(standing, seats, opponents)

    def _rated_outcomes(
        self, own: Standing, seats: Sequence[Seat], opponents: Mapping[int, Standing]
    ) -> tuple[Outcome, ...]:
        met = [UNRATED if seat.void else opponents.get(seat.opponent or NOBODY, UNRATED) for seat in seats]
        differences = [(own.rating or 0) - other.rating for other in met if other.rating is not None]
        counted = iter(self.counted_differences(differences))
        return tuple(
            _uncounted(seat) if other.rating is None else shared.counted(seat, own, other, *next(counted))
            for seat, other in zip(seats, met, strict=True)
        )


def _uncounted(seat: Seat) -> Outcome:
    return shared.uncounted(seat, seat.void or UNRATED_OPPONENT)


def _unrated_outcome(seat: Seat, opponent: Standing) -> Outcome:
    if seat.void or opponent.rating is None:
        return _uncounted(seat)
    return shared.pooled(seat, opponent)


def _seat_of(outcome: Outcome) -> Seat:
    first = outcome.reasons[0]
    void = "" if first.startswith(("counted-", "pooled-", "unrated-opponent-")) else first
    return Seat(outcome.round, outcome.opponent, outcome.colour, outcome.code, outcome.half_points, void)


def _opponent_of(outcome: Outcome) -> Standing:
    """Return the opponent's standing at the start: own is never a standard rating where status changes."""
    is_standard = shared.STANDARD_RATING in outcome.reasons
    return Standing(Status.STANDARD if is_standard else Status.RATED, outcome.opponent_rating)
