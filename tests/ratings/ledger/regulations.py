"""The arithmetic of the FIDE Rapid and Blitz Rating Regulations of 2022 and 2024, and the amendment of December 2024.

Written from the regulations and `RULES`, not from the portal: an oracle that shared its code would share its faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

# 7.1.1: dp of the fractional scores from .50 to 1.00.
_DP = (
    "0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 230 240 251 "
    "262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800"
)
DP = [int(word) for word in _DP.split()]
# 7.1.2: the greatest difference at which the higher rated scores .50, .51 and so on to .99.
_PD = (
    "3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215 225 235 245 256 "
    "267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735"
)
PD = [int(word) for word in _PD.split()]


def rounded(value: Fraction) -> int:
    """Return the nearest whole number, half away from zero."""
    doubled = abs(value) * 2
    whole = (doubled.numerator // doubled.denominator + 1) // 2
    return whole if value >= 0 else -whole


def expected(difference: int) -> Fraction:
    """Return PD for own rating minus the opponent's (7.1.2)."""
    higher = next((50 + place for place, most in enumerate(PD) if abs(difference) <= most), 100)
    return Fraction(higher if difference >= 0 else 100 - higher, 100)


def dp(score: Fraction, games: int) -> int:
    """Return dp of a fractional score, which is rounded to hundredths, half up (7.1.1, D-7)."""
    hundredths = rounded(score * 100 / games)
    return DP[hundredths - 50] if hundredths >= 50 else -DP[50 - hundredths]


def floor(text: str) -> int:
    """Return the lowest rating of a list (6.1.2, D-14)."""
    return 1000 if text == "2022" else 1400


def is_rated(text: str, one: int, other: int) -> bool:
    """Return whether a game of two players who are rated at the start counts (D-91)."""
    return text != "2024-12" or abs(one - other) < 600 or max(one, other) <= 2600


def differences(text: str, own: int, opponents: Sequence[int]) -> list[int]:
    """Return D of each game of a tournament (7.3.1, D-3)."""
    found = [own - rating for rating in opponents]
    if text != "2022":
        return [max(-400, min(400, difference)) for difference in found]
    upgraded = found.index(max(found)) if found and max(found) > 400 else None
    return [400 if place == upgraded else max(-400, difference) for place, difference in enumerate(found)]


def sum_of_changes(text: str, own: int, games: Sequence[tuple[int, int]]) -> Fraction:
    """Return the sum of score minus PD over games, each the opponent's rating and the own half points (7.3.2)."""
    counted = differences(text, own, [rating for rating, _ in games])
    return sum(
        (Fraction(half_points, 2) - expected(d) for d, (_, half_points) in zip(counted, games, strict=True)),
        Fraction(0),
    )


def initial_rating(text: str, games: Sequence[tuple[int, int]]) -> int:
    """Return Ru of games, each the opponent's rating and the own half points (7.2.3, 7.2.4)."""
    opponents = sum(rating for rating, _ in games)
    score = Fraction(sum(half_points for _, half_points in games), 2)
    if text != "2022":
        average = Fraction(opponents + 2 * 1800, len(games) + 2)
        return min(2200, rounded(average + dp(score + 1, len(games) + 2)))
    average, surplus = Fraction(opponents, len(games)), score - Fraction(len(games), 2)
    return rounded(average + (dp(score, len(games)) if surplus < 0 else surplus * 2 * 20))


def k_of_a_list(
    text: str, *, year: int, birth_year: int | None, completed: int, has_2300: bool, has_2400: bool
) -> int:
    """Return K as a list of a year shows it (7.3.3, D-4)."""
    if text == "2022":
        return 20
    if has_2400:
        return 10
    is_junior = birth_year is not None and year <= birth_year + 18
    return 40 if completed < 30 or (is_junior and not has_2300) else 20
