"""The figures of a list, and the judgement of a list before it is published: what is out of bounds stops it (D-134).

Points are hundredths of a rating point, shares tenths of a percent, means hundredths of what they are means of.

Bounds are drawn from the last 24 lists: the median, and `FACTOR` times the spread on both sides. The spread is the
median absolute deviation, scaled to the standard deviation of a normal distribution, and at least what chance alone
makes of a figure: a month is some dozens of tournaments, so that its counts vary by whole tournaments.

`FACTOR` is 6: the deviation of a dozen lists is itself uncertain by a third, and a list has some twenty figures and a
federation four more. Of twelve made-up worlds of 600 players, 24 honest months each, one has three false stops with 4,
one with 5 and none with 6; two of 20,000 players have six and four with 3, and none with 4. What faults do to a figure
is far beyond 6 (`tests/ratings/systems/test_judgement.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil, floor, sqrt
from statistics import median
from typing import Any, NamedTuple

LISTS, ENOUGH_LISTS = 24, 6
FACTOR = 6
# To the standard deviation of a normal distribution.
NORMAL = 1.4826
# A figure of fewer players never stops a list by deviation alone.
FEW = 20
# A move of more points in one list, and newcomers of a federation: more than half of its players, and more than that.
FAR, MANY_NEWCOMERS = 400, 50
# Players come and go by the tournament: about so many newcomers and leavers at once.
CLUSTER = 30
FIRST, LARGEST = 100, 20


class Source(StrEnum):
    """Where the points of a list come from: what the ratings of the list before do not add up to."""

    GAMES = "games"
    FIRST = "first"
    LOST = "lost"
    CORRECTIONS = "corrections"
    ADJUSTMENTS = "adjustments"
    ROUNDING = "rounding"


class Came(StrEnum):
    """Why a player is on a list who was not on the one before."""

    FIRST = "first"
    CORRECTED = "corrected"
    MERGED = "merged"
    RETURNED = "returned"
    UNKNOWN = "unknown"


class Left(StrEnum):
    """Why a player of the list before is not on the list."""

    BELOW_FLOOR = "below-floor"
    WITHHELD = "withheld"
    DECEASED = "deceased"
    CORRECTED = "corrected"
    MERGED = "merged"
    UNKNOWN = "unknown"


class Unit(StrEnum):
    """What the value of a figure counts."""

    NUMBER = "number"
    SHARE = "share"
    MEAN = "mean"


# A figure that stops a list: code, value, and the checksum of what is behind it.
Seen = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class Moved:
    """A player with the rating on the list before and on the list; None: not listed."""

    player_id: int
    federation: str
    before: int | None = None
    now: int | None = None
    name: str = ""

    @property
    def change(self) -> int:
        return (self.now or 0) - (self.before or 0)


@dataclass(slots=True)
class Part:
    """Sums over the players of a list, or of a federation of it.

    `games`, `change` and `size` (the sum of absolute changes, in points) are of the `played` who were and are rated.
    """

    listed: int = 0
    newcomers: int = 0
    leavers: int = 0
    played: int = 0
    games: int = 0
    moved: int = 0
    change: int = 0
    size: int = 0
    # The points of the ratings by what they come from, in hundredths.
    points: int = 0


@dataclass(slots=True)
class ListFigures:
    """The figures of a list. `games` are those of its tournaments, None where they are not known (imported lists).

    `as_listed` and `rated` count results with a K-factor: those with the K of the list before, and all; `repeated` are
    players with two tournaments of the same games, score and opponents. `first_new` are among the first 100 active
    players and were not before, `first_size` is the sum of the absolute changes of the others, in points.
    """

    whole: Part = field(default_factory=Part)
    games: int | None = None
    came: dict[Came, int] = field(default_factory=dict)
    left: dict[Left, int] = field(default_factory=dict)
    points: dict[Source, int] = field(default_factory=dict)
    factors: dict[int, int] = field(default_factory=dict)
    rated: int = 0
    as_listed: int = 0
    corrected: int = 0
    repeated: int = 0
    first_new: int | None = None
    first_size: int = 0
    far: int = 0
    largest: list[Moved] = field(default_factory=list)
    federations: dict[str, Part] = field(default_factory=dict)

    def part(self, federation: str) -> Part:
        """Return the sums of a federation; new ones where it has none yet."""
        return self.federations.setdefault(federation, Part())


class Value(NamedTuple):
    """A figure that is judged, and how many players it is of.

    Chance gives it a spread of at least `chance`, and of `share` of what is usual, of its `size` where it has one.
    """

    code: str
    value: int
    unit: Unit
    players: int
    chance: float = 0
    share: float = 0
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A figure out of bounds. `usual` is the median, None where an absolute bound is broken; bounds are inclusive.

    `events` and `players` are those behind it, those that matter most first, and `cause` is a checksum of all of them:
    one move of 600 points is not explained by what was said of another of 450.
    """

    code: str
    value: int
    unit: Unit
    low: int | None = None
    high: int | None = None
    usual: int | None = None
    lists: int = 0
    events: tuple[str, ...] = ()
    players: tuple[Moved, ...] = ()
    cause: str = ""

    @property
    def seen(self) -> Seen:
        """The figure as it is seen and explained."""
        return self.code, self.value, self.cause

    @property
    def figure(self) -> str:
        """The code without the federation that it is of."""
        return self.code.partition(":")[0]

    @property
    def federation(self) -> str:
        return self.code.partition(":")[2]


class Judged(NamedTuple):
    """A figure with its bounds, None where nothing bounds it yet, and what it was before, the newest first."""

    value: Value
    usual: int | None
    low: int | None
    high: int | None
    lists: int
    before: Sequence[int] = ()

    @property
    def is_out(self) -> bool:
        if self.low is None or self.high is None or self.value.players < FEW:
            return False
        return not self.low <= self.value.value <= self.high


def values_of(figures: ListFigures) -> Iterator[Value]:
    """Yield the figures of a list that are judged: those of the whole, then those of each federation."""
    whole = figures.whole
    yield _number("newcomers", whole.newcomers)
    yield _number("leavers", whole.leavers)
    yield _number("players-moved", whole.moved, whole.played)
    if figures.games is not None:
        yield _number("games", figures.games, whole.played, cluster=8 * CLUSTER)
    # Corrections are acts with reasons of their own: what matters is how much of a list they are.
    few = max(CLUSTER / 3, whole.listed / 300)
    yield Value("corrections", figures.corrected, Unit.NUMBER, figures.corrected, few)
    yield Value("repeated-results", figures.repeated, Unit.NUMBER, figures.repeated, 3)
    yield from _means("", whole)
    if whole.newcomers and whole.listed:
        first = figures.points.get(Source.FIRST, 0)
        players = whole.newcomers
        yield Value("first-rating", first // players, Unit.MEAN, players, 30_000 / sqrt(players))
    for k in (40, 20, 10):
        if whole.listed and figures.factors:
            number = figures.factors.get(k, 0)
            yield Value(f"k-{k}", 1000 * number // whole.listed, Unit.SHARE, whole.listed, 10)
    if figures.rated:
        share = 1000 * figures.as_listed // figures.rated
        yield Value("k-as-listed", share, Unit.SHARE, figures.rated, 30)
    if figures.first_new is not None:
        yield Value("first-100-new", figures.first_new, Unit.NUMBER, figures.first_new, 4)
        yield Value("first-100-change", figures.first_size, Unit.NUMBER, FIRST, 5 * FIRST)
    for code, part in sorted(figures.federations.items()):
        yield _number(f"federation-newcomers:{code}", part.newcomers)
        yield from _means(code, part)


def _number(code: str, value: int, players: int | None = None, cluster: int = CLUSTER) -> Value:
    return Value(
        code, value, Unit.NUMBER, value if players is None else players, sqrt(cluster * max(value, 1))
    )


def _means(federation: str, part: Part) -> Iterator[Value]:
    """Yield the means of those who played: change, size of the change, games."""
    played = part.played
    if not played:
        return
    prefix, suffix = ("federation-", f":{federation}") if federation else ("", "")
    # Those of a tournament are not independent of each other.
    share = max(0.1, 1.5 / sqrt(played))
    size = 100 * part.size // played
    yield Value(f"{prefix}mean-change{suffix}", _mean(part.change, played), Unit.MEAN, played, 0, share, size)
    yield Value(f"{prefix}size-of-change{suffix}", size, Unit.MEAN, played, share=share)
    yield Value(
        f"{prefix}games-per-player{suffix}", 100 * part.games // played, Unit.MEAN, played, share=share
    )


def _mean(total: int, number: int) -> int:
    return int(100 * total / number)


def judge(figures: ListFigures, before: Sequence[ListFigures]) -> list[Judged]:
    """Return the figures of a list with their bounds; `before` are those of the lists before it, the newest first."""
    known: dict[str, list[Value]] = {}
    for one in before[:LISTS]:
        for value in values_of(one):
            known.setdefault(value.code, []).append(value)
    return [_bounded(value, known.get(value.code, ())) for value in values_of(figures)]


def _bounded(value: Value, before: Sequence[Value]) -> Judged:
    # Means of few players say nothing about what is usual.
    some = [one for one in before if one.unit is Unit.NUMBER or one.players >= FEW]
    numbers = [one.value for one in some]
    if len(some) < ENOUGH_LISTS:
        return Judged(value, None, None, None, len(some), numbers)
    usual = median(numbers)
    deviation = median(abs(number - usual) for number in numbers)
    # What is judged has no say in its own bounds, but for how few players a mean is of.
    chance = median(one.chance for one in some)
    share = median(one.share for one in some)
    if value.unit is Unit.MEAN:
        chance, share = max(chance, value.chance), max(share, value.share)
    size = usual if value.size is None else median(one.size or 0 for one in some)
    spread = max(NORMAL * deviation, chance, share * abs(size))
    low, high = floor(usual - FACTOR * spread), ceil(usual + FACTOR * spread)
    if not value.code.partition(":")[0].endswith("mean-change"):
        low = max(low, 0)
    return Judged(value, round(usual), low, high, len(some), numbers)


def stops_of(
    figures: ListFigures, before: Sequence[ListFigures], behind: Callable[[Stop], Stop] = lambda stop: stop
) -> list[Stop]:
    """Return what stops a list: broken absolute bounds, and figures far from the usual (D-134).

    `behind` adds the tournaments and players that a figure comes from.
    """
    return [behind(stop) for stop in (*_absolute(figures), *_unusual(figures, before))]


def _absolute(figures: ListFigures) -> Iterator[Stop]:
    if figures.far:
        yield Stop("move-over-400", figures.far, Unit.NUMBER, 0, 0)
    for code, part in sorted(figures.federations.items()):
        high = max(MANY_NEWCOMERS, part.listed // 2)
        if part.newcomers > high:
            yield Stop(f"federation-newcomers:{code}", part.newcomers, Unit.NUMBER, 0, high)


def _unusual(figures: ListFigures, before: Sequence[ListFigures]) -> Iterator[Stop]:
    named = {stop.code for stop in _absolute(figures)}
    for one in judge(figures, before):
        value = one.value
        if one.is_out and value.code not in named:
            yield Stop(value.code, value.value, value.unit, one.low, one.high, one.usual, one.lists)


def unexplained(stops: Sequence[Stop], explained: Collection[Seen]) -> list[Stop]:
    """Return what nobody has explained: an explanation is of a figure as it was seen."""
    return [stop for stop in stops if stop.seen not in explained]


class Row(NamedTuple):
    """A player whom a list calculates, or who comes or leaves. Points are hundredths.

    `factors` are pairs of the K of the list before and the K of a result.
    """

    player_id: int
    federation: str
    before: int | None
    now: int | None
    games: int = 0
    change: int = 0
    correction: int = 0
    adjustment: int = 0
    came: Came = Came.UNKNOWN
    left: Left = Left.UNKNOWN
    has_repeated: bool = False
    is_corrected: bool = False
    factors: Sequence[tuple[int | None, int]] = ()


def add_row(figures: ListFigures, row: Row) -> None:
    """Count a player."""
    parts = (figures.whole, figures.part(row.federation))
    for part in parts:
        part.points += 100 * ((row.now or 0) - (row.before or 0))
    figures.repeated += row.has_repeated
    figures.corrected += row.is_corrected
    for listed, used in row.factors:
        figures.rated += 1
        figures.as_listed += listed is None or used == listed
    if row.before is None and row.now is not None:
        _add(figures.came, row.came, 1)
        _add(figures.points, Source.FIRST, 100 * row.now)
        for part in parts:
            part.newcomers += 1
    elif row.now is None and row.before is not None:
        _add(figures.left, row.left, 1)
        _add(figures.points, Source.LOST, -100 * row.before)
        for part in parts:
            part.leavers += 1
    elif row.now is not None and row.before is not None:
        _add_rated(figures, row, row.now - row.before, parts)


def _add_rated(figures: ListFigures, row: Row, change: int, parts: Sequence[Part]) -> None:
    _add(figures.points, Source.GAMES, row.change)
    _add(figures.points, Source.CORRECTIONS, row.correction)
    _add(figures.points, Source.ADJUSTMENTS, row.adjustment)
    _add(figures.points, Source.ROUNDING, 100 * change - row.change - row.correction - row.adjustment)
    # An adjustment of all ratings has its own reason and reference, and is confirmed by two (D-133).
    change -= row.adjustment // 100
    figures.far += abs(change) > FAR
    for part in parts:
        part.moved += change != 0
        if row.games:
            part.played += 1
            part.games += row.games
            part.change += change
            part.size += abs(change)


def _add(found: dict[Any, int], key: StrEnum, number: int) -> None:
    if number:
        found[key] = found.get(key, 0) + number


def compare_first(figures: ListFigures, before: Mapping[int, int], now: Mapping[int, int]) -> None:
    """Note the changes among the first 100: their ratings by player on the list before, and on the list."""
    if not before:
        return
    figures.first_new = len(now.keys() - before.keys())
    figures.first_size = sum(abs(rating - before[key]) for key, rating in now.items() if key in before)
