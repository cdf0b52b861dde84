"""A member's state in one category of `chess-online`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from ratings.systems.arithmetic import half_away_from_zero

NEWCOMER_RATING = 1200
PROVISIONAL_GAMES = 20
FLOOR_BELOW_HIGHEST = 200
FLOOR_STEP = 100


@dataclass(frozen=True, slots=True)
class State:
    """Everything needed to go on from: rating, completed rated games, what the average and the floor need.

    `total` is the sum over the first 20 games behind the average; `reductions` counts the falls of the floor since
    the highest rating; `near_since` is the day since which the rating has stayed near the floor, `last_day` that
    of the latest rated game.
    """

    rating: int = NEWCOMER_RATING
    games: int = 0
    total: int = 0
    highest: int = NEWCOMER_RATING
    reductions: int = 0
    near_since: date | None = None
    last_day: date | None = None

    @property
    def exact(self) -> str:
        """The rating as a decimal text."""
        return str(self.rating)

    @property
    def shown(self) -> int:
        """The rating that is displayed: 1200 until the 6th rated game is completed."""
        return self.rating

    @property
    def is_provisional(self) -> bool:
        """Whether fewer than 20 rated games are completed."""
        return self.games < PROVISIONAL_GAMES

    @property
    def running_average(self) -> int | None:
        """The average of the first 20 games so far, rounded, from game 1; None before it and after the 20th."""
        if not 1 <= self.games <= PROVISIONAL_GAMES:
            return None
        return half_away_from_zero(Fraction(self.total, self.games))

    @property
    def floor(self) -> int:
        """The highest rating less 200, rounded down to a hundred (D-52), less 100 for each reduction."""
        from_highest = (self.highest - FLOOR_BELOW_HIGHEST) // FLOOR_STEP * FLOOR_STEP
        return from_highest - FLOOR_STEP * self.reductions

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON values."""
        return {
            "rating": self.rating,
            "games": self.games,
            "total": self.total,
            "highest": self.highest,
            "reductions": self.reductions,
            "near_since": self.near_since.isoformat() if self.near_since else None,
            "last_day": self.last_day.isoformat() if self.last_day else None,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> State:
        """Return the state that `to_dict` wrote."""
        days = {
            name: date.fromisoformat(row[name]) if row[name] else None for name in ("near_since", "last_day")
        }
        return cls(**{**row, **days})
