"""The arithmetic of the FIDE Rapid and Blitz Rating Regulations of 2022 and 2024, and the amendment of December 2024.

Written from the regulations and `RULES`, not from the portal: an oracle that shared its code would share its faults.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tests.ratings.systems.oracle_figures import (
    counted_2022,
    counted_2024,
    first_2022,
    first_2024,
    probability,
)


def floor(text: str) -> int:
    """Return the lowest rating of a list (6.1.2, D-14)."""
    return 1000 if text == "2022" else 1400


def is_rated(text: str, one: int, other: int) -> bool:
    """Return whether a game of two players who are rated at the start counts (D-91)."""
    return text != "2024-12" or abs(one - other) < 600 or max(one, other) <= 2600


def differences(text: str, own: int, opponents: Sequence[int]) -> list[int]:
    """Return D of each game of a tournament (7.3.1, D-3)."""
    found = [own - rating for rating in opponents]
    return counted_2022(found) if text == "2022" else counted_2024(found)


def sum_of_changes(text: str, own: int, games: Sequence[tuple[int, int]]) -> Fraction:
    """Return the sum of score minus PD over games, each the opponent's rating and the own half points (7.3.2)."""
    counted = differences(text, own, [rating for rating, _ in games])
    return sum(
        (
            Fraction(half_points, 2) - probability(d)
            for d, (_, half_points) in zip(counted, games, strict=True)
        ),
        Fraction(0),
    )


def initial_rating(text: str, games: Sequence[tuple[int, int]]) -> int:
    """Return Ru of games, each the opponent's rating and the own half points (7.2.3, 7.2.4)."""
    score = Fraction(sum(half_points for _, half_points in games), 2)
    first = first_2022 if text == "2022" else first_2024
    return first(sum(rating for rating, _ in games), len(games), score).rating


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
