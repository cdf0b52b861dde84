"""FIDE Rapid and Blitz Rating Regulations, approved on 2023-12-15, applied from 2024-01-01.

The module follows the order of the text. What it shares with the text of 2022 stands in `ratings.systems.otb`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.systems.otb import shared
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import InitialRating, KFactor
from ratings.systems.tables import dp

HYPOTHETICAL_OPPONENTS = 2
HYPOTHETICAL_RATING = 1800
HIGHEST_INITIAL_RATING = 2200


@dataclass(frozen=True, slots=True)
class RapidBlitz2024(PeriodRules):
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """7.2.3: Ra with two hypothetical opponents rated 1800, both drawn; 7.2.4: Ru = Ra + dp, at most 2200."""
        opponents = games + HYPOTHETICAL_OPPONENTS
        average = Fraction(opponents_sum + HYPOTHETICAL_OPPONENTS * HYPOTHETICAL_RATING, opponents)
        p = shared.fractional_score(Fraction(half_points, 2) + 1, opponents)
        rating = shared.rating_performance(average, dp(p))
        return InitialRating(
            *(games, half_points, shared.as_text(average), p, dp(p), min(rating, HIGHEST_INITIAL_RATING)),
            is_capped=rating > HIGHEST_INITIAL_RATING,
        )

    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """7.3.1: a difference of more than 400 counts as 400, always."""
        return [_capped(difference) for difference in differences]

    def tournament_k(self, listed_k: int) -> int:
        """7.3.3: the K of the list in force serves the tournaments that start while it is (D-4)."""
        return listed_k

    def list_k(
        self, *, birth_year: int | None, completed: int, reached_2300: bool, reached_2400: bool, on: date
    ) -> KFactor:
        """7.3.3, the first sentence that applies (D-4)."""
        if reached_2400:
            return KFactor(10, "k10-reached-2400-7.3.3")
        if completed < shared.NEWCOMER_GAMES:
            return KFactor(40, "k40-newcomer-7.3.3")
        if shared.is_junior(birth_year, on) and not reached_2300:
            return KFactor(40, "k40-junior-7.3.3")
        return KFactor(20, "k20-7.3.3")


def _capped(difference: int) -> tuple[int, str]:
    if abs(difference) <= shared.CAP:
        return difference, ""
    return (shared.CAP if difference > 0 else -shared.CAP), "capped-7.3.1"


RULES = RapidBlitz2024(
    slug="fide-rapid-blitz-2024",
    title="FIDE Rapid and Blitz Rating Regulations, applied from 1 January 2024",
    first_day=date(2024, 1, 1),
    last_day=None,
    floor=1400,
)
