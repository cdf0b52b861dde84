"""What both texts of the rapid and blitz regulations say in the same words."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ratings.systems.otb.values import Outcome, Participation, Seat, Standing, Status
from ratings.systems.rounding import half_away_from_zero, half_up
from ratings.systems.tables import scoring_probability

CAP = 400
JUNIOR_AGE = 18
NEWCOMER_GAMES = 30
MOST_POINTS = 700
POOL_MONTHS = 26
POOL_GAMES = 5
STANDARD_RATING = "standard-rating-7.2.1"
POOLED = ("pooled-6.1.4",)
STANDARD_POOLED = (*POOLED, STANDARD_RATING)
# What a seat and its outcome have in common, from the round to the half points.
HELD: Final = 5


def change_of_game(difference: int, half_points: int) -> tuple[int, int]:
    """Return PD and score minus PD, both in hundredths (FIDE R&B 2024, 7.3.2; 2022, 7.32)."""
    pd = scoring_probability(difference)
    return pd, 50 * half_points - pd


def reduced_k(k: int, games: int) -> int:
    """Return the largest K up to `k` whose product with the games of the list is at most 700 (7.3.3)."""
    return min(k, MOST_POINTS // games) if games else k


def is_junior(birth_year: int | None, on: date) -> bool:
    """Whether the list's year is at most that of the 18th birthday (FIDE R&B 2024, 7.3.3)."""
    return birth_year is not None and on.year - birth_year <= JUNIOR_AGE


def first_pool_month(list_date: date) -> date:
    """Return the first of the 26 months before a list's date (6.1.4): 2024-02-01 for 2026-04-01."""
    months = list_date.year * 12 + list_date.month - 1 - POOL_MONTHS
    return date(months // 12, months % 12 + 1, 1)


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


def pooled(seat: Seat, opponent: Standing) -> Outcome:
    """Return the outcome of an unrated player's game with a rated one: it joins the pool (6.1.4)."""
    reasons = STANDARD_POOLED if opponent.status is Status.STANDARD else POOLED
    return Outcome(*seat[:HELD], reasons, opponent.rating)


def counted(seat: Seat, own: Standing, opponent: Standing, counted_difference: int, note: str) -> Outcome:
    """Return the outcome of a game between two rated players (7.3.1, 7.3.2)."""
    is_standard = own.status is Status.STANDARD or opponent.status is Status.STANDARD
    reasons, figures = _counted(counted_difference, seat.half_points, note, is_standard)
    difference = (own.rating or 0) - (opponent.rating or 0)
    # Straight from a tuple: a month has three million, and the constructor takes twice the time.
    return tuple.__new__(Outcome, (*seat[:HELD], reasons, opponent.rating, difference, *figures))


# There are some 800 differences that count, and three results.
@lru_cache(maxsize=1 << 13)
def _counted(
    difference: int, half_points: int, note: str, is_standard: bool
) -> tuple[tuple[str, ...], tuple[int, int, int]]:
    """Return the reason keys of a game that counts, its difference, PD and change.

    7.2.1 is a reason where one of the two counts with the standard rating.
    """
    keys = ("counted-7.3.2", note, STANDARD_RATING if is_standard else "")
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
