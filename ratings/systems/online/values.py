"""Values of online rating: a finished game, a step of its explanation, what it did to its two members, expectations.

The logistic expectation is the same on every machine: correctly rounded decimals, no binary float.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

SCALE = 400

# Far more digits than any rounded rating needs, so that only the rounding at the end is ever seen.
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_UNIT = Decimal(1).scaleb(-40)


def expectation(difference: int) -> Fraction:
    """Return the expected score for own rating minus the opponent's, 1 / (1 + 10^(-difference / 400)).

    It is exact where the difference is a multiple of 400, else rounded to 40 decimals; the expectations of the
    two players always add up to 1.
    """
    higher = _of_the_higher(abs(difference))
    return higher if difference >= 0 else 1 - higher


@lru_cache(maxsize=4096)
def _of_the_higher(difference: int) -> Fraction:
    times, rest = divmod(difference, SCALE)
    if not rest:
        # Exact: at 400 points 10/11 is expected, which no decimal is.
        return Fraction(10**times, 10**times + 1)
    odds = _CONTEXT.power(Decimal(10), _CONTEXT.divide(Decimal(-difference), Decimal(SCALE)))
    return Fraction(
        _CONTEXT.divide(Decimal(1), _CONTEXT.add(Decimal(1), odds)).quantize(_UNIT, context=_CONTEXT)
    )


State = TypeVar("State")


class StoredState:
    """What a system remembers of a member, stored by the names of its fields as plain JSON values."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    # The fields that are days, or None.
    DAYS: ClassVar[tuple[str, ...]] = ()

    def to_dict(self) -> dict[str, Any]:
        return {name: _plain(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Self:
        """Return the state that `to_dict` wrote."""
        days = {name: date.fromisoformat(row[name]) for name in cls.DAYS if row[name]}
        return cls(**{**row, **days})


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, StoredState):
        return value.to_dict()
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


class Result(StrEnum):
    """How a game ended, as arenas write it."""

    WHITE_WINS = "1-0"
    BLACK_WINS = "0-1"
    DRAW = "1/2-1/2"


WHITE_HALF_POINTS = {Result.WHITE_WINS: 2, Result.DRAW: 1, Result.BLACK_WINS: 0}


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a game: the member's ID in the arena and the facts that the arena reports.

    `rating_at_start` is the whole rating shown when the game began, None if the arena does not report it;
    `is_disconnected` means away for longer than the arena allows.
    """

    member: str
    rating_at_start: int | None = None
    is_full_member: bool = True
    is_disconnected: bool = False


@dataclass(frozen=True, slots=True)
class OnlineGame:
    """A finished game. `ended_at` is aware, `time_control` as in `10+5`, `moves` the half-moves of both sides."""

    ended_at: datetime
    white: Side
    black: Side
    result: Result
    time_control: str
    moves: int

    @property
    def day(self) -> date:
        """The UTC day on which the game ended."""
        return self.ended_at.astimezone(UTC).date()

    @property
    def white_half_points(self) -> int:
        """The half points of White by the result: 2, 1 or 0."""
        return WHITE_HALF_POINTS[self.result]


class OnlineStep(NamedTuple):
    """One step of an explanation: the stable key of an article or decision, and its figures.

    Figures are whole numbers or decimal texts. The system's `MESSAGES[key] % figures` is the sentence.
    """

    key: str
    figures: Mapping[str, int | str]


def sentence_figures(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a step for its sentence: the change with its sign, and as the `term` of a sum.

    A change of -16 is `−16` and the term `− 16`.
    """
    written = dict(figures)
    change = figures.get("change", figures.get("swing"))
    if change is not None:
        amount = Decimal(str(change))
        sign = "−" if amount < 0 else "+"
        written |= {"change": f"{sign}{abs(amount)}", "term": f"{sign} {abs(amount)}"}
    return written


@dataclass(frozen=True, slots=True)
class OnlineOutcome(Generic[State]):
    """A member's state after a game, a day or an adjustment, and the steps that led to it."""

    state: State
    steps: tuple[OnlineStep, ...] = ()


@dataclass(frozen=True, slots=True)
class RatedGame(Generic[State]):
    """What a game did to its two members; `unrated` is the reason why it did nothing to either, if so."""

    white: OnlineOutcome[State]
    black: OnlineOutcome[State]
    unrated: OnlineStep | None = None


def unrated_game(white: State, black: State, reason: OnlineStep) -> RatedGame[State]:
    """Return a game that is recorded and changes nothing, for the reason that the step names."""
    return RatedGame(OnlineOutcome(white, (reason,)), OnlineOutcome(black, (reason,)), reason)


@dataclass(frozen=True, slots=True)
class Past(Generic[State]):
    """What moved a member's rating once, or could have: the states before and after it, None where it did not.

    Of a game also the score, and the opponent as rated then: `opponent_rating` in the unit of the system (None:
    unrated), `opponent_at_start` the one shown when the game began, `opponent_games` the games before it. Everything
    else (days, lists) has no `half_points`.
    """

    before: State | None
    after: State | None
    half_points: int | None = None
    opponent_rating: int | None = None
    opponent_at_start: int | None = None
    opponent_games: int = 0
    time_control: str = ""
