"""The two conversion tables of the FIDE Online Arena, cell by cell (articles 4.1 and 4.2)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ratings.systems.arithmetic import dp, in_points
from ratings.systems.online import foa_rbb
from tests.ratings.systems.foa_rbb_games import LOSS, game, listed

# 4.1, as printed: p and dp in six pairs of columns.
TABLE_4_1 = """
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

# 4.2, as printed: the differences, PD of the higher and of the lower rated; for "> 735" stand 736 to 900.
TABLE_4_2 = """
0-3 .50 .50 198-206 .76 .24
4-10 .51 .49 207-215 .77 .23
11-17 .52 .48 216-225 .78 .22
18-25 .53 .47 226-235 .79 .21
26-32 .54 .46 236-245 .80 .20
33-39 .55 .45 246-256 .81 .19
40-46 .56 .44 257-267 .82 .18
47-53 .57 .43 268-278 .83 .17
54-61 .58 .42 279-290 .84 .16
62-68 .59 .41 291-302 .85 .15
69-76 .60 .40 303-315 .86 .14
77-83 .61 .39 316-328 .87 .13
84-91 .62 .38 329-344 .88 .12
92-98 .63 .37 345-357 .89 .11
99-106 .64 .36 358-374 .90 .10
107-113 .65 .35 375-391 .91 .09
114-121 .66 .34 392-411 .92 .08
122-129 .67 .33 412-432 .93 .07
130-137 .68 .32 433-456 .94 .06
138-145 .69 .31 457-484 .95 .05
146-153 .70 .30 485-517 .96 .04
154-162 .71 .29 518-559 .97 .03
163-170 .72 .28 560-619 .98 .02
171-179 .73 .27 620-735 .99 .01
180-188 .74 .26 736-900 1.0 .00
189-197 .75 .25
"""


def cells(table: str, width: int) -> list[list[str]]:
    rows = [line.split() for line in table.strip().splitlines()]
    return [row[at : at + width] for row in rows for at in range(0, len(row), width)]


def hundredths(text: str) -> int:
    return int(Fraction(text) * 100)


def test_4_1_every_cell() -> None:
    printed = {hundredths(p): int(difference) for p, difference in cells(TABLE_4_1, 2)}
    assert {p: dp(p) for p in range(101)} == printed


@pytest.mark.parametrize(("differences", "higher", "lower"), cells(TABLE_4_2, 3))
def test_4_2_every_cell(differences: str, higher: str, lower: str) -> None:
    first, last = (int(difference) for difference in differences.split("-"))
    for difference in range(first, last + 1):
        strong, weak = listed(1100_00 + 100 * difference), listed(1100_00)
        rated = foa_rbb.rate_game(strong, weak, game(LOSS))
        assert rated.white.steps[1].figures["pd"] == in_points(hundredths(higher))
        assert rated.black.steps[1].figures["pd"] == in_points(hundredths(lower))
        assert (rated.white.state.rating or 0) == (strong.rating or 0) - 20 * hundredths(higher)
        assert (rated.black.state.rating or 0) == (weak.rating or 0) + 20 * (100 - hundredths(lower))
