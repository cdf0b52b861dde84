"""Values of over-the-board rating. Scores are half points, changes and probabilities hundredths of a point."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import NamedTuple, Protocol

from ratings.systems.arithmetic import half_away_from_zero_hundredths


class Status(StrEnum):
    """How a participant counts: with a rating of the kind, with the standard rating (7.2.1), or not rated."""

    RATED = "rated"
    STANDARD = "standard"
    UNRATED = "unrated"


class KFactor(NamedTuple):
    """A development coefficient and the reason key of the sentence that gave it, empty for one that was imported."""

    k: int
    reason: str = ""


class StatusAtStart(NamedTuple):
    """A participant's status with the rating and K that go with it (both None for the unrated), and why K is so."""

    status: Status
    rating: int | None = None
    k: int | None = None
    k_reason: str = ""


UNRATED = StatusAtStart(Status.UNRATED)


class Remembered(Protocol):
    """What K depends on beside year of birth and day: the games completed, and what a published rating has reached."""

    @property
    def completed(self) -> int: ...

    @property
    def reached_2300(self) -> bool: ...

    @property
    def reached_2400(self) -> bool: ...


class PlayerState(NamedTuple):
    """A player's figures before a list, corrections included (D-110). `rating` may be withheld (9.1).

    `difference` is what corrections add to the published rating, unrounded and in hundredths (D-11). Only published
    ratings have reached 2300 or 2400 (D-112).
    """

    rating: int | None = None
    difference: int = 0
    k: int | None = None
    completed: int = 0
    reached_2300: bool = False
    reached_2400: bool = False
    k_reason: str = ""

    @property
    def listed_k(self) -> KFactor:
        """K of the list before, and why."""
        return KFactor(self.k or 0, self.k_reason)

    @property
    def corrected_rating(self) -> int | None:
        """The rating with the difference, rounded: the one by which a result is rated (D-110)."""
        if self.rating is None or not self.difference:
            return self.rating
        return half_away_from_zero_hundredths(100 * self.rating + self.difference)


class ReportedGame(NamedTuple):
    """A round of a report: a pairing, or one player without an opponent (`black` is None). Codes as in TRF."""

    round: int
    white: int
    black: int | None
    white_code: str
    black_code: str
    is_played: bool
    mark: str = ""


class Seat(NamedTuple):
    """One side of a round: who sat there, against whom, and why the game counts for nobody (`void`), if so."""

    round: int
    opponent: int | None
    colour: str
    code: str
    half_points: int
    void: str = ""


class Outcome(NamedTuple):
    """The outcome of a round for one participant: counted or not, with every figure and the reason keys.

    `difference` is own minus opponent's rating (D), `counted_difference` the same after 7.3.1; `pd` and
    `change` are hundredths. The first reason is why the game counts or not, the others are what was special about it.
    """

    round: int
    opponent: int | None
    colour: str
    code: str
    half_points: int
    # The order of the fields is part of what is stored: a new one comes last (ADR 6).
    reasons: tuple[str, ...]
    opponent_rating: int | None = None
    difference: int | None = None
    counted_difference: int | None = None
    pd: int | None = None
    change: int | None = None

    @property
    def counts(self) -> bool:
        return self.opponent_rating is not None

    def leave_out(self, reason: str) -> Outcome:
        """Return the outcome as one that does not count, for the reason that the key names."""
        if not self.counts:
            return self
        return self._replace(
            reasons=(reason, *self.reasons),
            opponent_rating=None,
            difference=None,
            counted_difference=None,
            pd=None,
            change=None,
        )


class Participation(NamedTuple):
    """One participant's result in one tournament, by the standing used for it."""

    standing: StatusAtStart
    outcomes: tuple[Outcome, ...]
    games: int
    half_points: int
    opponents_sum: int
    change: int

    def leave_out(self, reason: str) -> Participation:
        """Return the participation with nothing counted, for the reason that the key names."""
        outcomes = tuple(outcome.leave_out(reason) for outcome in self.outcomes)
        return Participation(self.standing, outcomes, 0, 0, 0, 0)


class Event(NamedTuple):
    """A tournament from one player's side: the participation by the standing at the start.

    The outcomes may be left out where the player is rated, or pooled, by that same standing: the sums suffice then.
    """

    event_id: str
    start: date
    end: date
    participation: Participation

    @property
    def order(self) -> tuple[date, date, int, str]:
        """By first day, last day and id; of two ids the shorter comes first, `9` before `10` (D-6)."""
        return self.start, self.end, len(self.event_id), self.event_id


class RatedEvent(NamedTuple):
    """An event of the period as it was rated: by which standing, with which K, to which change."""

    event: Event
    participation: Participation
    k: int = 0

    @property
    def own(self) -> StatusAtStart:
        """The standing by which it was rated."""
        return self.participation.standing

    @property
    def is_rated(self) -> bool:
        """Whether it changes a rating; else its games are pooled."""
        return self.own.status is not Status.UNRATED

    @property
    def change(self) -> int:
        return self.k * self.participation.change

    def to_keep(self, *, has_games: bool = False) -> RatedEvent:
        """Return the event as lists keep it: of the start the standing alone, and no games, if these are elsewhere."""
        event, part = self.event, self.participation
        if part.outcomes and not has_games:
            part = part._replace(outcomes=())
        at_start = Participation(event.participation.standing, (), 0, 0, 0, 0)
        return RatedEvent(Event(*event[:3], at_start), part, self.k)

    def with_games(self, outcomes: tuple[Outcome, ...]) -> RatedEvent:
        """Return the event with the games as the report keeps them, unless it brings its own."""
        part = self.participation
        return self if part.outcomes else self._replace(participation=part._replace(outcomes=outcomes))


class PoolShare(NamedTuple):
    """What one event adds to an unrated player's pool: games against rated opponents only."""

    event_id: str
    start: date
    end: date
    opponents_sum: int
    games: int
    half_points: int
    is_disregarded: bool = False

    @property
    def order(self) -> tuple[date, date, int, str]:
        return self.start, self.end, len(self.event_id), self.event_id


@dataclass(frozen=True, slots=True)
class InitialRating:
    """A first rating with the figures that led to it: Ra as an exact fraction text, p and dp as in 7.1.1."""

    games: int
    half_points: int
    average: str
    p: int
    dp: int | None
    rating: int
    is_capped: bool = False
