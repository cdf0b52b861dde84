"""A generated month: a combined list of FIDE's layout and the reports of its tournaments, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

FULL_PLAYERS = 1_900_000
FULL_REPORTS = 6_000
PLAYERS_A_REPORT = 56
ROUNDS = 9
SEED = 20_261_101
FEDERATIONS = ("SUI", "FRA", "GER", "ITA", "ESP", "POL", "IND", "USA", "NED", "HUN", "GRE", "NOR")
SYLLABLES = (
    "an",
    "bel",
    "cor",
    "dra",
    "el",
    "fen",
    "gor",
    "hal",
    "is",
    "jor",
    "kan",
    "lo",
    "mir",
    "nor",
    "os",
    "pel",
)
GIVEN = (
    "Anna",
    "Boris",
    "Clara",
    "David",
    "Elena",
    "Felix",
    "Greta",
    "Hugo",
    "Irina",
    "Jonas",
    "Karin",
    "Luca",
)
SURNAMES = tuple("".join(parts).capitalize() for parts in product(SYLLABLES, repeat=3))
HEAD = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


@dataclass(frozen=True, slots=True)
class Size:
    """How many players and reports a month has; a fraction of FIDE's."""

    fraction: float

    @property
    def players(self) -> int:
        return int(FULL_PLAYERS * self.fraction)

    @property
    def reports(self) -> int:
        return int(FULL_REPORTS * self.fraction)

    @property
    def games(self) -> int:
        return self.reports * ROUNDS * (PLAYERS_A_REPORT // 2)


def fide_id(index: int) -> int:
    return 1_000_000 + index


def name(index: int) -> str:
    surname = SURNAMES[index % len(SURNAMES)]
    return f"{surname}, {GIVEN[index // len(SURNAMES) % len(GIVEN)]} {chr(65 + index % 26)}."


def federation(index: int) -> str:
    return FEDERATIONS[index * 7 % len(FEDERATIONS)]


def strength(index: int) -> int:
    """Return how well somebody plays: their ratings lie around it, and their results follow it."""
    return min(2850, max(1400, int(random.Random(SEED * index).gauss(1750, 220))))  # noqa: S311 no secret


def write_list(path: Path, size: Size) -> None:
    """Write the combined list: six in ten rated in each of the three kinds, as a rule in all."""
    chance = random.Random(SEED)  # noqa: S311 no secret
    with path.open("w", encoding="ascii", newline="") as target:
        target.write(HEAD + "\r\n")
        for index in range(size.players):
            target.write(_line(index, chance))


def _line(index: int, chance: random.Random) -> str:
    base = strength(index)
    figures = "".join(_figures(base, chance) for _ in range(3))
    sex = "F" if index % 9 == 0 else "M"
    born = 1940 + index % 76
    flag = "i" if index // len(FEDERATIONS) % 3 == 0 else ""
    person = f"{fide_id(index):<15}{name(index):<61}{federation(index):<4}{sex:<4}"
    return f"{person}{'':<5}{'':<5}{'':<15}{'':<4}{figures}{born:<6}{flag:<4}\r\n"


def _figures(base: int, chance: random.Random) -> str:
    if chance.random() > 0.6:
        return f"{'':<6}{'':<4}{'':<3}"
    rating = max(1400, base + chance.randint(-80, 80))
    # Most of those rated play no game in a month.
    games = max(0, chance.randint(-40, 9))
    return f"{rating:<6}{games:<4}{20 if rating < 2400 else 10:<3}"


def write_reports(folder: Path, size: Size, *, year: int, month: int) -> None:
    """Write the reports; each file's name tells its kind and federation: `00012-rapid-SUI.trf`."""
    folder.mkdir(parents=True)
    chance = random.Random(SEED + 1)  # noqa: S311 no secret
    for number in range(size.reports):
        kind = "blitz" if number % 5 < 2 else "rapid"
        code = FEDERATIONS[number % len(FEDERATIONS)]
        text = "".join(_report(number, kind, code, size, chance, f"{year}/{month:02}/{1 + number % 24:02}"))
        (folder / f"{number:05}-{kind}-{code}.trf").write_text(text, encoding="ascii", newline="")


def _report(number: int, kind: str, code: str, size: Size, chance: random.Random, day: str) -> Iterator[str]:
    end = ("\r\n",)
    control = "15 minutes plus 10 sec per move" if kind == "rapid" else "3 minutes plus 2 sec per move"
    head = (f"012 Open {number} of {code}", "022 Town", f"032 {code}", f"042 {day}", f"052 {day}")
    rest = (f"062 {PLAYERS_A_REPORT}", "092 Individual: Swiss-System", "102 Arbiter, Ada", f"122 {control}")
    dates = "132" + " " * 88 + "  ".join([day[2:]] * ROUNDS)
    yield "".join(line + end[0] for line in (*head, *rest, dates))
    players = chance.sample(range(size.players), PLAYERS_A_REPORT)
    cells: list[list[str]] = [[] for _ in players]
    points = [0] * len(players)
    strengths = [strength(index) for index in players]
    for round_number in range(ROUNDS):
        _play(round_number, strengths, cells, points, chance)
    for seat, index in enumerate(players):
        yield _player_line(seat, index, points[seat], cells[seat]) + end[0]


def _play(
    round_number: int,
    strengths: list[int],
    cells: list[list[str]],
    points: list[int],
    chance: random.Random,
) -> None:
    """Pair by the circle method, so that nobody meets anybody twice, and draw the results."""
    count = len(cells)
    ring = [0, *((seat + round_number) % (count - 1) + 1 for seat in range(count - 1))]
    for white, black in zip(ring[: count // 2], reversed(ring[count // 2 :]), strict=True):
        result = _result(strengths[white] - strengths[black], chance)
        other = {"1": "0", "0": "1", "=": "="}[result]
        cells[white].append(f"{black + 1:>4} w {result}")
        cells[black].append(f"{white + 1:>4} b {other}")
        points[white] += {"1": 2, "=": 1, "0": 0}[result]
        points[black] += {"1": 2, "=": 1, "0": 0}[other]


def _result(difference: int, chance: random.Random) -> str:
    """Draw a result as ratings let expect; one game in five is a draw where that can be."""
    expected = 1 / (1 + 10 ** (-difference / 400))
    drawn = min(0.2, 2 * expected, 2 - 2 * expected)
    lot = chance.random()
    return "=" if lot < drawn else "1" if lot < drawn / 2 + expected else "0"


def _player_line(seat: int, index: int, half_points: int, cells: list[str]) -> str:
    sex = "w" if index % 9 == 0 else "m"
    score = f"{half_points // 2}.{5 * (half_points % 2)}"
    person = f"001 {seat + 1:>4} {sex}    {name(index):<33} {0:>4} {federation(index)} {fide_id(index):>11}"
    return f"{person} {1940 + index % 76}/00/00 {score:>4} {seat + 1:>4}  " + "  ".join(cells)
