"""The figures of the oracle: the tables as the text prints them, and its sums with fractions alone.

Nothing here comes from the engine: a slip in one of the two must not be a slip in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

# 7.1.1, row by row.
FRACTIONAL_SCORES = """
1.0 800 .83 273 .66 117 .49 -7 .32 -133 .15 -296
.99 677 .82 262 .65 110 .48 -14 .31 -141 .14 -309
.98 589 .81 251 .64 102 .47 -21 .30 -149 .13 -322
.97 538 .80 240 .63 95 .46 -29 .29 -158 .12 -336
.96 501 .79 230 .62 87 .45 -36 .28 -166 .11 -351
.95 470 .78 220 .61 80 .44 -43 .27 -175 .10 -366
.94 444 .77 211 .60 72 .43 -50 .26 -184 .09 -383
.93 422 .76 202 .59 65 .42 -57 .25 -193 .08 -401
.92 401 .75 193 .58 57 .41 -65 .24 -202 .07 -422
.91 383 .74 184 .57 50 .40 -72 .23 -211 .06 -444
.90 366 .73 175 .56 43 .39 -80 .22 -220 .05 -470
.89 351 .72 166 .55 36 .38 -87 .21 -230 .04 -501
.88 336 .71 158 .54 29 .37 -95 .20 -240 .03 -538
.87 322 .70 149 .53 21 .36 -102 .19 -251 .02 -589
.86 309 .69 141 .52 14 .35 -110 .18 -262 .01 -677
.85 296 .68 133 .51 7 .34 -117 .17 -273 .00 -800
.84 284 .67 125 .50 0 .33 -125 .16 -284
"""
# 7.1.2, row by row: D, PD of the higher, PD of the lower.
DIFFERENCES = """
0-3 .50 .50 92-98 .63 .37 198-206 .76 .24 345-357 .89 .11
4-10 .51 .49 99-106 .64 .36 207-215 .77 .23 358-374 .90 .10
11-17 .52 .48 107-113 .65 .35 216-225 .78 .22 375-391 .91 .09
18-25 .53 .47 114-121 .66 .34 226-235 .79 .21 392-411 .92 .08
26-32 .54 .46 122-129 .67 .33 236-245 .80 .20 412-432 .93 .07
33-39 .55 .45 130-137 .68 .32 246-256 .81 .19 433-456 .94 .06
40-46 .56 .44 138-145 .69 .31 257-267 .82 .18 457-484 .95 .05
47-53 .57 .43 146-153 .70 .30 268-278 .83 .17 485-517 .96 .04
54-61 .58 .42 154-162 .71 .29 279-290 .84 .16 518-559 .97 .03
62-68 .59 .41 163-170 .72 .28 291-302 .85 .15 560-619 .98 .02
69-76 .60 .40 171-179 .73 .27 303-315 .86 .14 620-735 .99 .01
77-83 .61 .39 180-188 .74 .26 316-328 .87 .13 736-9999 1.0 .00
84-91 .62 .38 189-197 .75 .25 329-344 .88 .12
"""
TEXT_OF_2024 = date(2024, 1, 1)
POINTS = {"1": Fraction(1), "+": Fraction(1), "W": Fraction(1), "F": Fraction(1), "U": Fraction(1)}
POINTS |= dict.fromkeys("=DH", Fraction(1, 2))


@dataclass(frozen=True)
class First:
    """A first rating: Ra, p, dp (or what stands for it) and Ru."""

    average: Fraction
    score: Fraction
    dp: int
    rating: int


def points(code: str) -> Fraction:
    return POINTS.get(code, Fraction(0))


def table_of_scores() -> dict[Fraction, int]:
    """Return 7.1.1: dp for each fractional score."""
    cells = FRACTIONAL_SCORES.split()
    return {Fraction(p): int(dp) for p, dp in zip(cells[::2], cells[1::2], strict=True)}


def table_of_differences() -> list[tuple[int, int, Fraction, Fraction]]:
    """Return 7.1.2: least and greatest D, PD of the higher, PD of the lower."""
    cells = DIFFERENCES.split()
    rows = zip((bounds.split("-") for bounds in cells[::3]), cells[1::3], cells[2::3], strict=True)
    return [(int(low), int(high), Fraction(higher), Fraction(lower)) for (low, high), higher, lower in rows]


DP = table_of_scores()
PD = table_of_differences()


def probability(difference: int) -> Fraction:
    """Return PD for own rating minus the opponent's."""
    for low, high, higher, lower in PD:
        if low <= abs(difference) <= high:
            return higher if difference >= 0 else lower
    raise LookupError(difference)


def counted_2024(differences: list[int]) -> list[int]:
    return [max(-400, min(400, difference)) for difference in differences]


def counted_2022(differences: list[int]) -> list[int]:
    """7.31 and D-3: one upgrade for the higher-rated, in the game of the greatest D."""
    counted = [max(-400, difference) for difference in differences]
    greatest = max(counted, default=0)
    if greatest > 400:
        counted[counted.index(greatest)] = 400
    return counted


def rounded(value: Fraction) -> int:
    whole, rest = divmod(abs(value), 1)
    nearest = int(whole) + (rest >= Fraction(1, 2))
    return nearest if value >= 0 else -nearest


def hundredths(value: Fraction) -> Fraction:
    whole, rest = divmod(value * 100, 1)
    return Fraction(int(whole) + (rest >= Fraction(1, 2)), 100)


def first_2024(total: int, games: int, points: Fraction) -> First:
    average = Fraction(total + 1800 + 1800, games + 2)
    score = hundredths((points + 1) / (games + 2))
    return First(average, score, DP[score], min(2200, rounded(average + DP[score])))


def first_2022(total: int, games: int, points: Fraction) -> First:
    average, score = Fraction(total, games), hundredths(points / games)
    over = points - Fraction(games, 2)
    dp = int(over / Fraction(1, 2)) * 20 if over >= 0 else DP[score]
    return First(average, score, dp, rounded(average + dp))


def floor(day: date) -> int:
    return 1000 if day < TEXT_OF_2024 else 1400


def months_before(day: date, months: int) -> date:
    for _ in range(months):
        day = (day - timedelta(1)).replace(day=1)
    return day
