"""A text that nobody approved: other figures, another formula of the initial rating, other article numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.systems.arithmetic import fractional_score, rating_performance
from ratings.systems.otb.rules import PeriodRules, as_text
from ratings.systems.otb.values import InitialRating, KFactor, Remembered
from ratings.systems.otb.wording import ARTICLES, DECISIONS, reasons_of
from ratings.systems.words import About, FormulaStep, Reason, Unit

FLOOR, CAP, K, POINTS = 1500, 200, 16, 10
CAPPED = Reason("capped-4.3", About.GAME, counts=True, text="More than 200 points count as 200.")
LAPSED = Reason("lapsed-3.1", About.GAME, counts=False, text="Began more than 12 months before the list.")
K16 = Reason("k16-4.4", About.K, counts=True, text="K is 16 for everybody.")
NUMBERED = {
    "counted": "4.2",
    "pooled": "3.1",
    "standard-rating": "4.6",
    "unrated-opponent": "4.1",
    "forfeit": "2.1",
    "bye": "2.1",
    "no-move": "2.1",
    "unplayed": "2.1",
    "force-majeure": "2.1",
    "fair-play": "2.1",
    "unequal-times": "2.2",
    "match-unrated": "2.3",
    "match-decided": "2.3",
    "disregarded": "3.2",
    "change": "4.5",
    "unchanged": "1.1",
    "first-by-standard": "4.6",
    "below-floor": "1.2",
    "initial": "3.4",
    "initial-below-floor": "3.1",
    "no-game": "3.1",
}
FORMULA = "an invented formula"
NUMBERS = "1.1 1.2 1.3 2.1 2.2 2.3 3.1 3.2 3.3 3.4 3.5 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Invented(PeriodRules):
    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        return [(max(-CAP, min(CAP, d)), CAPPED.key if abs(d) > CAP else "") for d in differences]

    def tournament_k(self, listed: KFactor) -> KFactor:
        return KFactor(K, K16.key)

    def list_k(self, known: Remembered, *, birth_year: int | None, on: date) -> KFactor:
        return KFactor(K, K16.key)

    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        average = Fraction(opponents_sum, games)
        gain = POINTS * (half_points - games)
        p = fractional_score(Fraction(half_points, 2), games)
        rating = rating_performance(average, gain)
        return InitialRating(games, half_points, as_text(average), p, gain, rating)

    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[FormulaStep]:
        formula = f"Ru = {opponents_sum} ÷ {initial.games} + {initial.dp}:"
        return [FormulaStep(formula, "3.4", initial.rating, Unit.PLAIN, FORMULA)]


RULES = Invented(
    slug="fide-rapid-blitz-invented",
    title="Invented Rating Regulations",
    floor=FLOOR,
    cap=CAP,
    pool_games=3,
    pool_months=12,
    newcomer_games=10,
    most_points=300,
    junior_age=16,
    reached_low=2000,
    reached_high=2200,
    imported_k=(8, 32, 16),
    active_lists=6,
    clauses={
        "version": "1.3",
        "previous_list": "1.1",
        "published": "1.3",
        "floor": "1.2",
        "pool": "3.1",
        "below_floor": "1.2",
        "activity": "1.3",
        "dp_table": "5.1",
        "pd_table": "5.2",
        "standard_rating": "4.6",
        "first_event": "3.2",
        "average": "3.3",
        "initial": "3.4",
        "rated_meanwhile": "3.5",
        "difference": "4.3",
        "change": "4.2",
        "k": "4.4",
        "rounding": "4.5",
    },
    articles=ARTICLES | {number: f"Article {number} of the invented text." for number in NUMBERS.split()},
    decisions=DECISIONS,
    reasons=reasons_of([CAPPED, LAPSED, K16], NUMBERED),
    points={"K": ("16 for everybody", "4.4"), "A matter of its own": ("invented", "4.1")},
)
