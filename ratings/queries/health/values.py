"""The figures of a pool's health: sums that are stored, and the averages and shares that follow from them.

Sums are whole: games, half points, hundredths of a point of expected scores, rating points. Averages are rounded once,
where they are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction

from ratings.systems.arithmetic import half_away_from_zero

CAP = 400
# Differences of ratings are counted in classes of 50 points, all from 800 on in the last one.
CLASS, LAST_CLASS = 50, 800
# Players whose strength changes little: the reference for inflation.
REFERENCE_AGES = (30, 40)
LEAST_PLAYERS = 30
# The first rating of each class of strength.
STRENGTHS = (0, 1600, 1800, 2000, 2200, 2400)
# For how many lists an initial rating, and the games between federations, are looked at.
LISTS = 12
NEAR = 50


class Trend(StrEnum):
    """Where the ratings of players go whose strength changes little."""

    RISING = "rising"
    FALLING = "falling"
    STEADY = "steady"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Scores:
    """Games with what was scored in them, in half points, and what the table of 7.1.2 expected, in hundredths."""

    games: int = 0
    half_points: int = 0
    expected: int = 0

    @property
    def score_tenths(self) -> int | None:
        """The real score in tenths of a percent of the games, None without any."""
        return _rounded(500 * self.half_points, self.games)

    @property
    def expected_tenths(self) -> int | None:
        """The expected score in tenths of a percent of the games, None without any."""
        return _rounded(10 * self.expected, self.games)

    @property
    def gap_tenths(self) -> int | None:
        """Real minus expected score in tenths of a percent, None without games."""
        return _rounded(500 * self.half_points - 10 * self.expected, self.games)


@dataclass(frozen=True, slots=True)
class Moved:
    """Players of two lists with the sum of their changes of rating, and of the squares of these."""

    players: int = 0
    change: int = 0
    squares: int = 0

    @property
    def mean_tenths(self) -> int | None:
        """The average change in tenths of a point, None without players."""
        return _rounded(10 * self.change, self.players)

    def trend(self, months: int) -> Trend:
        """Return where the ratings went in so many months.

        They move where the average is at least half a point a month, and at least twice its standard error.
        """
        if self.players < LEAST_PLAYERS or months < 1:
            return Trend.UNKNOWN
        spread = self.players * self.squares - self.change**2
        is_sure = self.change**2 * (self.players - 1) >= 4 * spread
        if not is_sure or 2 * abs(self.change) < months * self.players:
            return Trend.STEADY
        return Trend.RISING if self.change > 0 else Trend.FALLING


@dataclass(frozen=True, slots=True)
class Settling:
    """Players so many lists after their initial rating: how far the rating went from it, and their games of the list.

    `absolute` is the sum of the changes without signs, `near` counts those within 50 points.
    """

    lists: int
    players: int
    change: int
    absolute: int
    near: int
    scores: Scores

    @property
    def mean_tenths(self) -> int | None:
        return _rounded(10 * self.change, self.players)

    @property
    def absolute_tenths(self) -> int | None:
        return _rounded(10 * self.absolute, self.players)

    @property
    def near_tenths(self) -> int | None:
        """The share of the players within 50 points, in tenths of a percent."""
        return _rounded(1000 * self.near, self.players)


@dataclass(frozen=True, slots=True)
class FederationGames:
    """The games of a federation's players on the last 12 lists: all, those with others, and how many others.

    Federations of one `group` are linked by games, over others too; the largest group is 1.
    """

    code: str
    games: int
    foreign: int
    partners: int
    group: int

    @property
    def foreign_tenths(self) -> int | None:
        return share_tenths(self.foreign, self.games)


@dataclass(frozen=True, slots=True)
class Summary:
    """What is followed over time; each list has one. Changes are since `since`, None where no list is before."""

    tournaments: int
    games: int
    outside: int
    players: int
    active: int
    played: int
    initial: int
    rating_sum: int
    higher: Scores
    since: date | None
    months: int
    all_moved: Moved
    reference: Moved
    settled: Settling
    federation_games: int
    foreign: int
    groups: int

    @property
    def average_tenths(self) -> int | None:
        return _rounded(10 * self.rating_sum, self.players)

    @property
    def outside_tenths(self) -> int | None:
        return share_tenths(self.outside, self.games)

    @property
    def foreign_tenths(self) -> int | None:
        return share_tenths(self.foreign, self.federation_games)

    @property
    def trend(self) -> Trend:
        return self.reference.trend(self.months)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of one list: classes by their first difference, age or rating, None for an unknown age."""

    curve: Sequence[tuple[int, Scores]]
    ages: Sequence[tuple[int | None, Moved]]
    strengths: Sequence[tuple[int, Moved]]
    settling: Sequence[Settling]
    federations: Sequence[FederationGames]


def share_tenths(part: int, whole: int) -> int | None:
    """Return a share in tenths of a percent, None of nothing."""
    return _rounded(1000 * part, whole)


def _rounded(part: int, whole: int) -> int | None:
    return half_away_from_zero(Fraction(part, whole)) if whole else None
