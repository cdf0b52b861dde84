"""What a calculator is told, and what it answers. Scores are half points."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import PoolShare
from ratings.systems.words import Line


@dataclass(frozen=True, slots=True)
class Own:
    """Who played: the rating (None: unrated), K as the list shows it, and what is in the pool of an unrated player.

    `games` are those that the next list has of a rated player already, `change` the sum of their changes, before K,
    in hundredths of a point.
    """

    rating: int | None = None
    k: int = 20
    pool: tuple[PoolShare, ...] = ()
    games: int = 0
    change: int = 0


@dataclass(frozen=True, slots=True)
class Met:
    """A game: the opponent's rating, None for an unrated one, and the half points scored."""

    rating: int | None
    half_points: int


@dataclass(frozen=True, slots=True)
class SystemResult:
    """What the games do to a rating by one system.

    `before` and `after` are decimal texts, None for unrated; `games` holds the lines of each game in order, `sums` what
    follows from all of them, `assumptions` what the system needs to know and was not told.
    """

    slug: str
    title: str
    before: str | None
    after: str | None
    games: tuple[tuple[Line, ...], ...]
    sums: tuple[Line, ...] = ()
    assumptions: tuple[Line, ...] = ()
    rules: PeriodRules | None = None
