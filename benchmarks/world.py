"""A generated world: its size, its players, and their combined list in FIDE's format, from a seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path

FULL_PLAYERS = 1_900_000
FULL_REPORTS = 6_000
PLAYERS_A_REPORT = 56
ROUNDS = 9
SEED = 20_261_101
# The part of an ID before the check digit, and the weights of its seven digits.
FIRST_ID, WEIGHTS = 1_000_000, range(8, 1, -1)
FEDERATIONS = ("SUI", "FRA", "GER", "ITA", "ESP", "POL", "IND", "USA", "NED", "HUN", "GRE", "NOR")
SYLLABLES = (
    "an", "bel", "cor", "dra", "el", "fen", "gor", "hal", "is", "jor", "kan", "lo", "mir", "nor", "os", "pel",
)  # fmt: skip
GIVEN = (
    "Anna", "Boris", "Clara", "David", "Elena", "Felix", "Greta", "Hugo", "Irina", "Jonas", "Karin", "Luca",
)  # fmt: skip
SURNAMES = tuple("".join(parts).capitalize() for parts in product(SYLLABLES, repeat=3))
HEAD = (
    "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
    "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


@dataclass(frozen=True, slots=True)
class Size:
    """The number of players and reports in a month, a fraction of FIDE's.

    Shares of the reports are for the previous month (`late`), have a second version with another result (`again`), and
    are corrected after publication (`corrected`).
    """

    fraction: float
    late: float = 0.03
    again: float = 0.02
    corrected: float = 0.01

    @property
    def players(self) -> int:
        return int(FULL_PLAYERS * self.fraction)

    @property
    def reports(self) -> int:
        return int(FULL_REPORTS * self.fraction)

    @property
    def games(self) -> int:
        """Return the number of games in current reports. Second versions replace the first."""
        return self.reports * ROUNDS * (PLAYERS_A_REPORT // 2)


def fide_id(index: int) -> int:
    """Return a FIDE ID of eight digits, the last a check digit. Without it, each line would have an issue."""
    digits = f"{FIRST_ID + index}"
    weighted = sum(int(digit) * weight for digit, weight in zip(digits, WEIGHTS, strict=True))
    return int(digits) * 10 + -weighted % 11 % 10


def index_of(fide_id: int) -> int:
    """Return the index of the player with this ID."""
    return fide_id // 10 - FIRST_ID


def name(index: int) -> str:
    surname = SURNAMES[index % len(SURNAMES)]
    return f"{surname}, {GIVEN[index // len(SURNAMES) % len(GIVEN)]} {chr(65 + index % 26)}."


def federation(index: int) -> str:
    return FEDERATIONS[index * 7 % len(FEDERATIONS)]


def strength(index: int) -> int:
    """Return a player's true strength, on which ratings and results depend."""
    return min(2850, max(1400, int(random.Random(SEED * index).gauss(1750, 220))))  # noqa: S311 no secret


def write_list(path: Path, size: Size) -> None:
    """Write the combined list. In each of the three types, a random 60% of players are rated.

    Sorted by name, as FIDE's own file is, so that IDs are in no order.
    """
    chance = random.Random(SEED)  # noqa: S311 no secret
    with path.open("w", encoding="ascii", newline="") as target:
        target.write(HEAD + "\r\n")
        for index in sorted(range(size.players), key=name):
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
    # Most rated players have no game in a month.
    games = max(0, chance.randint(-40, 9))
    return f"{rating:<6}{games:<4}{20 if rating < 2400 else 10:<3}"
