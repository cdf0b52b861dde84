"""Arithmetic that all texts of the rapid and blitz regulations share."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ratings.systems.otb.values import Outcome, Participation, Seat, Standing
from ratings.systems.rounding import half_away_from_zero, half_up
from ratings.systems.tables import scoring_probability

# What a seat and its outcome have in common, from the round to the half points.
HELD: Final = 5
MONTHS_A_YEAR = 12


def change_of_game(difference: int, half_points: int) -> tuple[int, int]:
    """Return PD and score minus PD, both in hundredths (FIDE R&B 2024, 7.3.2; 2022, 7.32)."""
    pd = scoring_probability(difference)
    return pd, 50 * half_points - pd


def months_after(day: date, months: int) -> date:
    """Return the first of the month that is so many months after that of a day, before it where negative."""
    number = day.year * MONTHS_A_YEAR + day.month - 1 + months
    return date(number // MONTHS_A_YEAR, number % MONTHS_A_YEAR + 1, 1)


def fractional_score(points: Fraction, games: int) -> int:
    """Return p in hundredths, exact halves up (D-7)."""
    return half_up(points * 100 / games)


def rating_performance(average: Fraction, dp: int) -> int:
    """Return Ru, the average and dp rounded once, half away from zero (7.2.4)."""
    return half_away_from_zero(average + dp)


def as_text(value: Fraction) -> str:
    """Return an exact fraction as whole and remainder: `1867 3/7`."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole} {rest}/{value.denominator}" if rest else str(whole)


def uncounted(seat: Seat, reason: str) -> Outcome:
    """Return the outcome of a round that counts for nothing, for the reason that the key names."""
    return Outcome(*seat[:HELD], (reason,))


# There are some 800 differences that count, and three results.
@lru_cache(maxsize=1 << 13)
def figures_of_game(
    difference: int, half_points: int, *keys: str
) -> tuple[tuple[str, ...], tuple[int, int, int]]:
    """Return the reason keys of a game that counts (empty ones left out), its difference, PD and change."""
    return tuple(key for key in keys if key), (difference, *change_of_game(difference, half_points))


def summed(standing: Standing, outcomes: tuple[Outcome, ...]) -> Participation:
    """Return the sums over the outcomes that count."""
    games = half_points = opponents_sum = change = 0
    for outcome in outcomes:
        if outcome.opponent_rating is not None:
            games += 1
            half_points += outcome.half_points
            opponents_sum += outcome.opponent_rating
            change += outcome.change or 0
    return Participation(standing, outcomes, games, half_points, opponents_sum, change)
