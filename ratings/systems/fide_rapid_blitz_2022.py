"""FIDE Rapid and Blitz Rating Regulations in effect from 2022-01-01 to 2023-12-31 (D-13).

The module follows the order of the text. The parts that all texts share are in `ratings.systems.otb`. Where the text of
2022 says the same as that of 2024, stored rows and pages name the article by its number of 2024.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.systems.arithmetic import dp, fractional_score, rating_performance
from ratings.systems.otb.rules import PeriodRules, as_text
from ratings.systems.otb.values import InitialRating, KFactor, Remembered
from ratings.systems.otb.wording import ARTICLES, CAPPED, CLAUSES, DECISIONS, LAPSED, reasons_of
from ratings.systems.words import About, FormulaStep, Reason, Unit
from ratings.systems.words import gettext_noop as _

FLOOR = 1000
CAP = 400
K = 20
POINTS_A_HALF_POINT = 20
ONE_UPGRADE = Reason(
    "one-upgrade-7.31",
    About.GAME,
    True,
    _("Rating difference capped at 400 (the one game of the tournament for which the cap applies)."),
)
NO_SECOND_UPGRADE = Reason(
    "no-second-upgrade-7.31",
    About.GAME,
    True,
    _("Difference of more than 400 not capped: another game had a larger difference."),
)
K20 = Reason("k20-7.32", About.K, counts=True, text=_("K = 20 in all cases (2022 regulations)."))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidBlitz2022(PeriodRules):
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """7.23: Ra is the opponents' average; 7.24: Ru by the score, 20 a half point over 50%, dp under it."""
        average = Fraction(opponents_sum, games)
        p = fractional_score(Fraction(half_points, 2), games)
        surplus = half_points - games
        gain = POINTS_A_HALF_POINT * surplus if surplus >= 0 else dp(p)
        rating = rating_performance(average, gain)
        return InitialRating(games, half_points, as_text(average), p, gain, rating)

    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[FormulaStep]:
        """7.23 and 7.24 with their figures."""
        games, gain = initial.games, initial.dp or 0
        average = FormulaStep(
            formula=f"Ra = {opponents_sum} ÷ {games}:",
            text=_("average opponent rating"),
            article=self.clauses["average"],
            amount=initial.average,
            unit=Unit.PLAIN,
        )
        surplus = initial.half_points - games
        by_score = FormulaStep(
            formula=f"{surplus} × {POINTS_A_HALF_POINT}:",
            text=_("20 points for each half point over 50%"),
            article=self.clauses["initial"],
            amount=gain,
            unit=Unit.CHANGE,
        )
        by_table = FormulaStep(
            formula=f"p = %(score)s ÷ {games} = %(p)s; dp",
            article=self.clauses["dp_table"],
            amount=gain,
            unit=Unit.CHANGE,
        )
        rating = FormulaStep(
            formula="Ru = Ra + dp,",
            text=_("rounded to the nearest whole number"),
            article=self.clauses["initial"],
            amount=initial.rating,
            unit=Unit.PLAIN,
        )
        return [average, by_score if surplus >= 0 else by_table, rating]

    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """7.31: the lower-rated is always capped at 400; the higher-rated in one game only, that with the greatest D.

        The reading is D-3.
        """
        greatest = max(differences, default=0)
        # Of equal differences the first one: which of them is capped does not change the sum (D-3).
        upgraded = differences.index(greatest) if greatest > CAP else None
        return [
            _cap_difference(difference, index == upgraded) for index, difference in enumerate(differences)
        ]

    def tournament_k(self, listed: KFactor) -> KFactor:
        """Return K 20 in all cases, whatever K a list shows (7.32, D-4)."""
        return KFactor(K, K20.key)

    def list_k(self, known: Remembered, *, birth_year: int | None, on: date) -> KFactor:
        """7.32: K is 20 in all cases."""
        return KFactor(K, K20.key)


def _cap_difference(difference: int, is_upgraded: bool) -> tuple[int, str]:
    if difference < -CAP:
        return -CAP, CAPPED.key
    if difference <= CAP:
        return difference, ""
    return (CAP, ONE_UPGRADE.key) if is_upgraded else (difference, NO_SECOND_UPGRADE.key)


RULES = RapidBlitz2022(
    slug="fide-rapid-blitz-2022",
    title="FIDE Rapid and Blitz Rating Regulations, 1 January 2022 to 31 December 2023",
    shipped_from=date(2022, 1, 1),
    floor=FLOOR,
    cap=CAP,
    pool_games=5,
    pool_months=26,
    newcomer_games=30,
    most_points=700,
    junior_age=18,
    reached_low=2300,
    reached_high=2400,
    imported_k=(10, 40, 20),
    active_lists=12,
    clauses={
        **CLAUSES,
        "floor": "D-14",
        "average": "7.23",
        "initial": "7.24",
        "difference": "7.31",
        "k": "7.32",
    },
    articles={
        **ARTICLES,
        "7.23": _("2022 regulations: Ra is the average rating of the rated opponents."),
        "7.24": _(
            "2022 regulations: Ru is Ra at 50%, plus 20 points for each half point above it, or Ra + "
            "dp below it."
        ),
        "7.31": _(
            "2022 regulations: a difference of more than 400 counts as 400, but the higher-rated "
            "player benefits in only one game of a tournament, the one with the largest difference."
        ),
        "7.32": _(
            "2022 regulations: K is 20 in all cases, or lower if games × K would exceed 700 on a list."
        ),
    },
    decisions={
        **DECISIONS,
        "D-3": _("2022 regulations: for the lower-rated player the cap of 400 always applies."),
        "D-9": _("The 2022 regulations also require 5 games within 26 months for an initial rating."),
        "D-13": _(
            "The 2022 regulations apply to tournaments that start from 1 January 2022 to 31 December 2023."
        ),
    },
    reasons=reasons_of([CAPPED, ONE_UPGRADE, NO_SECOND_UPGRADE, LAPSED, K20]),
    points={
        _("Large rating difference"): (
            _("capped at 400, for the higher-rated player in only one game of a tournament"),
            "7.31",
            "D-3",
        ),
        "K": (_("always 20"), "7.32"),
        _("Initial rating"): (
            _("average opponent rating, plus 20 points for each half point above 50%, plus dp below it"),
            "7.23",
            "7.24",
        ),
    },
)
