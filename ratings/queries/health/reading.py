"""The health of a pool as it was measured: of one list, of all lists of a kind, and as rows of a table.

Its figures are sums that are stored, and the averages and shares that follow from them. Sums are whole: games, half
points, hundredths of a point of expected scores, rating points. Averages are rounded once, where they are read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Any

import msgspec
from django.db.models import QuerySet

from core.web.csv import csv_text
from ratings.models import PoolHealth, RatingList
from ratings.queries.lists import LARGE
from ratings.queries.statistics import BANDS
from ratings.systems.arithmetic import half_away_from_zero, scoring_probability

CAP = 400
# Differences of ratings are counted in classes of 50 points, all from 800 on in the last one.
CLASS, LAST_CLASS = 50, 800
# Players whose strength changes little: the reference for inflation.
REFERENCE_AGES = (30, 40)
LEAST_PLAYERS = 30
# Below so many games a score says nothing; up to so large a gap, in tenths of a percent, it is as expected.
LEAST_GAMES, MATCHING_TENTHS = 30, 10
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


@dataclass(slots=True)
class Scores:
    """Games with what was scored in them, in half points, and what the table of 7.1.2 expected, in hundredths."""

    games: int = 0
    half_points: int = 0
    expected: int = 0

    @classmethod
    def sum_of(cls, scores: Collection[Scores]) -> Scores:
        return cls(
            games=sum(one.games for one in scores),
            half_points=sum(one.half_points for one in scores),
            expected=sum(one.expected for one in scores),
        )

    def add(self, half_points: int, difference: int) -> None:
        """Count a game of a player rated `difference` points above the opponent."""
        self.games += 1
        self.half_points += half_points
        self.expected += scoring_probability(difference)

    @property
    def score_tenths(self) -> int | None:
        """The real score in tenths of a percent of the games, None without any."""
        return _round_share(500 * self.half_points, self.games)

    @property
    def expected_tenths(self) -> int | None:
        """The expected score in tenths of a percent of the games, None without any."""
        return _round_share(10 * self.expected, self.games)

    @property
    def gap_tenths(self) -> int | None:
        """Real minus expected score in tenths of a percent, None without games."""
        return _round_share(500 * self.half_points - 10 * self.expected, self.games)

    @property
    def matches(self) -> bool | None:
        """Whether the scores are as expected; None with too few games.

        They are where the gap is at most one percent, or at most twice the largest standard error that it can have,
        half a game for each root of the number of games.
        """
        gap = self.gap_tenths
        if gap is None or self.games < LEAST_GAMES:
            return None
        # A gap of two such errors is 1000 tenths of a percent by the root of the games: both sides are squared.
        return abs(gap) <= MATCHING_TENTHS or gap**2 * self.games <= 1_000_000


@dataclass(slots=True)
class ChangeSums:
    """Players of two lists with the sum of their changes of rating, and of the squares of these."""

    players: int = 0
    change: int = 0
    squares: int = 0

    def add(self, change: int) -> None:
        """Count a player."""
        self.players += 1
        self.change += change
        self.squares += change * change

    @property
    def mean_tenths(self) -> int | None:
        """The average change in tenths of a point, None without players."""
        return _round_share(10 * self.change, self.players)

    def trend(self, months: int) -> Trend:
        """Return where the ratings went in so many months.

        They move where the average is at least half a point a month, and at least twice its standard error.
        """
        if self.players < LEAST_PLAYERS or months < 1:
            return Trend.UNKNOWN
        spread = self.players * self.squares - self.change**2
        # Squared on both sides, so that no float decides; 4 is the square of two standard errors.
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
        return _round_share(10 * self.change, self.players)

    @property
    def absolute_tenths(self) -> int | None:
        return _round_share(10 * self.absolute, self.players)

    @property
    def near_tenths(self) -> int | None:
        """The share of the players within 50 points, in tenths of a percent."""
        return _round_share(1000 * self.near, self.players)


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
class HealthSummary:
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
    all_moved: ChangeSums
    reference: ChangeSums
    settled: Settling
    federation_games: int
    foreign: int
    groups: int

    @property
    def average_tenths(self) -> int | None:
        return _round_share(10 * self.rating_sum, self.players)

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
class HealthFigures:
    """What is shown of one list: classes by their first difference, age or rating, None for an unknown age."""

    curve: Sequence[tuple[int, Scores]]
    ages: Sequence[tuple[int | None, ChangeSums]]
    strengths: Sequence[tuple[int, ChangeSums]]
    settling: Sequence[Settling]
    federations: Sequence[FederationGames]


def share_tenths(part: int, whole: int) -> int | None:
    """Return a share in tenths of a percent, None of nothing."""
    return _round_share(1000 * part, whole)


def _round_share(part: int, whole: int) -> int | None:
    return half_away_from_zero(Fraction(part, whole)) if whole else None


SERIES = 120
SERIES_HEAD = (
    "kind", "date", "tournaments", "games", "games_over_400", "players", "active", "played", "initial_ratings",
    "rating_sum", "score_half_points", "expected_hundredths", "since", "months", "compared_players",
    "compared_change", "reference_players", "reference_change", "trend", "settling_players", "settling_change",
    "settling_absolute", "settling_within_50", "federation_games", "federation_games_foreign", "federation_groups",
)  # fmt: skip
LIST_HEAD = ("figure", "group", "measure", "value")


@dataclass(frozen=True, slots=True)
class Health:
    """The figures of a list that is measured; `figures` is None where only the summary was read."""

    kind: str
    day: date
    measured_at: datetime
    summary: HealthSummary
    figures: HealthFigures | None = None


def health_of(rating_list: RatingList) -> Health | None:
    """Return what was measured of a list; None where it is not measured (yet)."""
    row = measured_pools().filter(rating_list=rating_list).first()
    return as_health(row) if row else None


def measured_pools(kind: str = "") -> QuerySet[PoolHealth]:
    """Return what is measured, the newest list first, without the games by federations."""
    rows = PoolHealth.objects.select_related("rating_list")
    rows = rows.defer("pairs", *(f"rating_list__{name}" for name in LARGE))
    rows = rows.order_by("-rating_list__date", "rating_list__kind")
    return rows.filter(rating_list__kind=kind) if kind else rows


def series_of(kind: str, *, most: int = SERIES) -> list[Health]:
    """Return the summaries of the newest lists of a kind, the oldest first."""
    rows = list(measured_pools(kind).defer("figures")[:most])
    return [as_health(row, has_figures=False) for row in reversed(rows)]


def as_health(row: PoolHealth, *, has_figures: bool = True) -> Health:
    return Health(
        kind=row.rating_list.kind,
        day=row.rating_list.date,
        measured_at=row.measured_at,
        summary=msgspec.convert(row.summary, HealthSummary),
        figures=msgspec.convert(row.figures, HealthFigures) if has_figures else None,
    )


def series_csv(series: list[Health]) -> Iterator[str]:
    """Yield a row for each list."""
    yield csv_text([SERIES_HEAD])
    yield csv_text(series_row(health).values() for health in series)


def series_row(health: Health) -> dict[str, Any]:
    """Return the summary of a list by the names of `SERIES_HEAD`."""
    one = health.summary
    cells = (
        health.kind, health.day, one.tournaments, one.games, one.outside, one.players, one.active, one.played,
        one.initial, one.rating_sum, one.higher.half_points, one.higher.expected, one.since, one.months,
        one.all_moved.players, one.all_moved.change, one.reference.players, one.reference.change, one.trend.value,
        one.settled.players, one.settled.change, one.settled.absolute, one.settled.near, one.federation_games,
        one.foreign, one.groups,
    )  # fmt: skip
    return dict(zip(SERIES_HEAD, cells, strict=True))


def list_csv(figures: HealthFigures) -> Iterator[str]:
    """Yield the figures of a list, one value a row."""
    yield csv_text([LIST_HEAD])
    for figure, rows in tables_of(figures).items():
        for row in rows:
            group, *values = row.items()
            yield csv_text((figure, group[1], measure, value) for measure, value in values)


def tables_of(figures: HealthFigures) -> dict[str, list[dict[str, Any]]]:
    """Return the figures as tables by name: rows of plain values, the first of which names the row."""
    return {
        "calibration": [{"difference_from": first} | _scores(one) for first, one in figures.curve],
        "change_by_age": [{"age_from": first} | _movement_row(one) for first, one in figures.ages],
        "change_by_rating": [{"rating_from": first} | _movement_row(one) for first, one in figures.strengths],
        "initial_ratings": [
            {
                "lists": one.lists,
                "players": one.players,
                "change": one.change,
                "absolute": one.absolute,
                "within_50": one.near,
            }
            | _scores(one.scores)
            for one in figures.settling
        ],
        "federations": [
            {
                "federation": one.code,
                "games": one.games,
                "foreign_games": one.foreign,
                "federations_met": one.partners,
                "group": one.group,
            }
            for one in figures.federations
        ],
    }


def _scores(scores: Scores) -> dict[str, int]:
    return {"games": scores.games, "half_points": scores.half_points, "expected_hundredths": scores.expected}


def _movement_row(moved: ChangeSums) -> dict[str, int]:
    return {"players": moved.players, "change": moved.change, "squares": moved.squares}


def class_name(first: int) -> str:
    """Return a class of differences: `50–99`, `800+`."""
    return f"{first}+" if first == LAST_CLASS else f"{first}–{first + CLASS - 1}"


def band_name(band: int | None) -> str:
    """Return a band of ages: `30–39`, `65+`; empty for an unknown age."""
    if band is None:
        return ""
    return f"{band}+" if band == BANDS[-1] else f"{band}–{BANDS[BANDS.index(band) + 1] - 1}"


def strength_name(first: int) -> str:
    """Return a class of ratings: `1600–1799`, `0–1599`, `2400+`."""
    place = STRENGTHS.index(first)
    return f"{first}+" if first == STRENGTHS[-1] else f"{first}–{STRENGTHS[place + 1] - 1}"
