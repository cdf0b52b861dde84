"""A member's state in one category of `flyordie`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

PROVISIONAL_GAMES = 20


@dataclass(frozen=True, slots=True)
class Series:
    """One member's view of the games against one opponent within the arena's window (D-60).

    The ratings are those before the first game; `given` is what the games so far have really changed.
    """

    opponent: str
    started_at: datetime
    rating: int
    opponent_rating: int
    games: int = 0
    half_points: int = 0
    given: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the series as plain JSON values."""
        return {
            "opponent": self.opponent,
            "started_at": self.started_at.isoformat(),
            "rating": self.rating,
            "opponent_rating": self.opponent_rating,
            "games": self.games,
            "half_points": self.half_points,
            "given": self.given,
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Series:
        """Return the series that `to_dict` wrote."""
        return cls(**{**row, "started_at": datetime.fromisoformat(row["started_at"])})


@dataclass(frozen=True, slots=True)
class State:
    """Everything needed to go on from: rating, matches, open series, and what missed reductions need.

    `reduced_through` is the last day whose reduction is done; `closings` are the ratings at the end of the days
    from it on that had games, oldest first.
    """

    rating: int = 0
    games: int = 0
    series: tuple[Series, ...] = ()
    reduced_through: date | None = None
    closings: tuple[tuple[date, int], ...] = ()

    @property
    def exact(self) -> str:
        """The rating as a decimal text."""
        return str(self.rating)

    @property
    def shown(self) -> int:
        """The rating that is displayed, with `~` while it is provisional."""
        return self.rating

    @property
    def is_provisional(self) -> bool:
        """Whether fewer than 20 matches are played."""
        return self.games < PROVISIONAL_GAMES

    def series_against(self, opponent: str) -> Series | None:
        """Return the latest series against an opponent that is remembered."""
        return next((series for series in self.series if series.opponent == opponent), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the state as plain JSON values."""
        return {
            "rating": self.rating,
            "games": self.games,
            "series": [series.to_dict() for series in self.series],
            "reduced_through": self.reduced_through.isoformat() if self.reduced_through else None,
            "closings": [[day.isoformat(), rating] for day, rating in self.closings],
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> State:
        """Return the state that `to_dict` wrote."""
        through = row["reduced_through"]
        return cls(
            rating=row["rating"],
            games=row["games"],
            series=tuple(Series.from_dict(series) for series in row["series"]),
            reduced_through=date.fromisoformat(through) if through else None,
            closings=tuple((date.fromisoformat(day), rating) for day, rating in row["closings"]),
        )
