r"""Exact rounding, the two conversion tables, and how figures are written; no binary float takes part.

The tables are the same in every text: FIDE R\&B 2024, 7.1.1 and 7.1.2; 2022, 7.1a and 7.1b; FOA. Probabilities and
fractional scores are whole hundredths, rating differences whole points."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction


def half_away_from_zero(value: Fraction | int) -> int:
    """Return the nearest whole number; exact halves go away from zero (FIDE R&B 2024, 7.3.4)."""
    magnitude = (2 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    return magnitude if value >= 0 else -magnitude


def half_up(value: Fraction | int) -> int:
    """Return the nearest whole number; exact halves go up (D-7)."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def hundredths_half_up(value: Fraction | int) -> int:
    """Return the value in hundredths, exact halves up (D-7): 1/8 is 13."""
    return half_up(value * 100)


def half_away_from_zero_hundredths(hundredths: int) -> int:
    """Return hundredths as whole points, exact halves away from zero (FIDE R&B 2024, 7.3.4)."""
    magnitude = (abs(hundredths) + 50) // 100
    return magnitude if hundredths >= 0 else -magnitude


# 7.1.1: DP[p] is the rating difference dp for the fractional score p, in hundredths from .00 to 1.0.
# fmt: off
DP = (
    -800, -677, -589, -538, -501, -470, -444, -422, -401, -383,
    -366, -351, -336, -322, -309, -296, -284, -273, -262, -251,
    -240, -230, -220, -211, -202, -193, -184, -175, -166, -158,
    -149, -141, -133, -125, -117, -110, -102, -95, -87, -80,
    -72, -65, -57, -50, -43, -36, -29, -21, -14, -7,
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65,
    72, 80, 87, 95, 102, 110, 117, 125, 133, 141,
    149, 158, 166, 175, 184, 193, 202, 211, 220, 230,
    240, 251, 262, 273, 284, 296, 309, 322, 336, 351,
    366, 383, 401, 422, 444, 470, 501, 538, 589, 677,
    800,
)
# fmt: on

# 7.1.2: the greatest difference D of each row; the first row is .50 for the higher, each next one .01 more.
# fmt: off
PD_UPPER_BOUNDS = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145,
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357,
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735,
)
# fmt: on
# From this difference on the table has 1.00 and .00.
HIGHEST_IN_TABLE = 736
_PD_HIGHER = tuple(
    50 + bisect_left(PD_UPPER_BOUNDS, difference) for difference in range(HIGHEST_IN_TABLE + 1)
)
# By the difference itself: those below zero count from the end.
_PD = (*_PD_HIGHER, *(100 - higher for higher in _PD_HIGHER[:0:-1]))


def dp(fractional_score: int) -> int:
    """Return the rating difference for a fractional score in hundredths (FIDE R&B 2024, 7.1.1).

    Raises `IndexError` outside 0 to 100.
    """
    # Python would take it from the other end of the table.
    if fractional_score < 0:
        raise IndexError(fractional_score)
    return DP[fractional_score]


def fractional_score(points: Fraction, games: int) -> int:
    """Return p in hundredths, exact halves up (D-7)."""
    return half_up(points * 100 / games)


def rating_performance(average: Fraction, dp: int) -> int:
    """Return Ru, the average and dp rounded once, half away from zero (7.2.4)."""
    return half_away_from_zero(average + dp)


def scoring_probability(difference: int) -> int:
    """Return PD in hundredths for own rating minus the opponent's (FIDE R&B 2024, 7.1.2)."""
    if -HIGHEST_IN_TABLE <= difference <= HIGHEST_IN_TABLE:
        return _PD[difference]
    return 100 if difference > 0 else 0


def in_points(hundredths: int) -> str:
    """Return hundredths of a point with both decimals: 179960 is `1799.60`."""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02d}"


def in_score(half_points: int) -> str:
    """Return half points as a score: 0, 0.5, 1, 1.5."""
    return f"{half_points // 2}{'.5' if half_points % 2 else ''}"


def in_decimals(value: Fraction, *, places: int = 8) -> str:
    """Return a decimal text without trailing zeros; what has more decimals is rounded to `places`."""
    scaled = half_away_from_zero(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    decimals = f"{rest:0{places}d}".rstrip("0")
    return f"{'-' if scaled < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"
