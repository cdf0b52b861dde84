"""FIDE Rapid and Blitz Rating Regulations as they stood from 2022-01-01 to 2023-12-31 (D-13).

The module follows the order of the text. What it shares with the text of 2024 stands in `ratings.systems.otb`.
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

K = 20
POINTS_A_HALF_POINT = 20


@dataclass(frozen=True, slots=True)
class RapidBlitz2022(PeriodRules):
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """7.23: Ra is the opponents' average; 7.24: Ru by the score, 20 a half point over 50%, dp under it."""
        average = Fraction(opponents_sum, games)
        p = shared.fractional_score(Fraction(half_points, 2), games)
        over = half_points - games
        gain = POINTS_A_HALF_POINT * over if over >= 0 else dp(p)
        rating = shared.rating_performance(average, gain)
        return InitialRating(games, half_points, shared.as_text(average), p, gain, rating)

    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """7.31: the lower-rated is always capped at 400; the higher-rated in one game only, that with the greatest D.

        The reading is D-3.
        """
        greatest = max(differences, default=0)
        upgraded = differences.index(greatest) if greatest > shared.CAP else None
        return [_counted(difference, index == upgraded) for index, difference in enumerate(differences)]

    def tournament_k(self, listed_k: int) -> int:
        """7.32: K is 20 in all cases, whatever K a list shows (D-4)."""
        return K

    def list_k(
        self, *, birth_year: int | None, completed: int, reached_2300: bool, reached_2400: bool, on: date
    ) -> KFactor:
        """7.32: K is 20 in all cases."""
        return KFactor(K, "k20-7.32")


def _counted(difference: int, is_upgraded: bool) -> tuple[int, str]:
    if difference < -shared.CAP:
        return -shared.CAP, "capped-7.3.1"
    if difference <= shared.CAP:
        return difference, ""
    return (shared.CAP, "one-upgrade-7.31") if is_upgraded else (difference, "no-second-upgrade-7.31")


RULES = RapidBlitz2022(
    slug="fide-rapid-blitz-2022",
    title="FIDE Rapid and Blitz Rating Regulations, 1 January 2022 to 31 December 2023",
    first_day=date(2022, 1, 1),
    last_day=date(2023, 12, 31),
    floor=1000,
)
