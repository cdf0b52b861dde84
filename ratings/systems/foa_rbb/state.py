"""A member's state in one category of the FIDE Online Arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.systems.online.figures import in_points

FLOOR = 100_00


@dataclass(frozen=True, slots=True)
class State:
    """Everything needed to go on from: the rating in hundredths, or what counts towards the first one.

    `games` are the completed rated games of D-42; of an unrated member, those of the five that are played, with
    `opponents_sum` (hundredths) and `half_points` over them. `adjusted_on` is the date of the last FIDE list
    whose changes are in the rating (3.15).
    """

    rating: int | None = None
    was_unrated: bool = True
    games: int = 0
    opponents_sum: int = 0
    half_points: int = 0
    adjusted_on: date | None = None

    @property
    def exact(self) -> str | None:
        """The rating with its two decimals (3.1), None for an unrated member."""
        return None if self.rating is None else in_points(self.rating)

    @property
    def shown(self) -> int | None:
        """The whole rating that is displayed, .5 rounded upwards (3.12, 3.13)."""
        return None if self.rating is None else (self.rating + 50) // 100

    @property
    def is_provisional(self) -> bool:
        """False always: the regulations know rated and unrated members only."""
        return False

    def started_over(self) -> State:
        """Return the state of a member who has to find a first rating from the beginning (3.3, D-40)."""
        return State(adjusted_on=self.adjusted_on)

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON values."""
        return {
            "rating": self.rating,
            "was_unrated": self.was_unrated,
            "games": self.games,
            "opponents_sum": self.opponents_sum,
            "half_points": self.half_points,
            "adjusted_on": self.adjusted_on.isoformat() if self.adjusted_on else None,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> State:
        """Return the state that `to_dict` wrote."""
        adjusted_on = row["adjusted_on"]
        return cls(**{**row, "adjusted_on": date.fromisoformat(adjusted_on) if adjusted_on else None})
