"""FIDE Rapid and Blitz Rating Regulations, approved on 2023-12-15, applied from 2024-01-01.

The module follows the order of the text. The parts that all texts share are in `ratings.systems.otb`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from ratings.systems.arithmetic import dp, fractional_score, rating_performance
from ratings.systems.otb.rules import PeriodRules, as_text
from ratings.systems.otb.values import InitialRating, KFactor, Remembered
from ratings.systems.otb.wording import ARTICLES, CAPPED, DECISIONS, LAPSED, reasons_of
from ratings.systems.words import About, FormulaStep, Reason, Unit
from ratings.systems.words import gettext_noop as _

FLOOR = 1400
CAP = 400
HYPOTHETICAL_OPPONENTS = 2
HYPOTHETICAL_RATING = 1800
HIGHEST_INITIAL_RATING = 2200
NEWCOMER_GAMES = 30
K10 = Reason("k10-reached-2400-7.3.3", About.K, True, _("K = 10: the published rating has reached 2400."))
K40_NEWCOMER = Reason("k40-newcomer-7.3.3", About.K, True, _("K = 40: fewer than 30 rated games."))
K40_JUNIOR = Reason(
    "k40-junior-7.3.3",
    About.K,
    True,
    _("K = 40: under 18 until the end of the year, and never rated 2300 or higher."),
)
K20 = Reason("k20-7.3.3", About.K, True, _("K = 20: 30 or more rated games, and never rated 2400 or higher."))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RapidBlitz2024(PeriodRules):
    def initial_rating(self, *, opponents_sum: int, games: int, half_points: int) -> InitialRating:
        """7.2.3: Ra with two hypothetical opponents rated 1800, both drawn; 7.2.4: Ru = Ra + dp, at most 2200."""
        opponents = games + HYPOTHETICAL_OPPONENTS
        average = Fraction(opponents_sum + HYPOTHETICAL_OPPONENTS * HYPOTHETICAL_RATING, opponents)
        p = fractional_score(Fraction(half_points, 2) + 1, opponents)
        rating = rating_performance(average, dp(p))
        return InitialRating(
            games=games,
            half_points=half_points,
            average=as_text(average),
            p=p,
            dp=dp(p),
            rating=min(rating, HIGHEST_INITIAL_RATING),
            is_capped=rating > HIGHEST_INITIAL_RATING,
        )

    def initial_steps(self, initial: InitialRating, opponents_sum: int) -> list[FormulaStep]:
        """7.2.3 and 7.2.4 with their figures."""
        opponents = f"({initial.games} + {HYPOTHETICAL_OPPONENTS})"
        hypothetical = f"{HYPOTHETICAL_OPPONENTS} × {HYPOTHETICAL_RATING}"
        return [
            FormulaStep(
                formula=f"Ra = ({opponents_sum} + {hypothetical}) ÷ {opponents}:",
                text=_("opponents and two hypothetical opponents rated 1800"),
                article=self.clauses["average"],
                amount=initial.average,
                unit=Unit.PLAIN,
            ),
            FormulaStep(
                formula=f"p = (%(score)s + 1) ÷ {opponents},",
                text=_("to hundredths"),
                article="D-7",
                amount=initial.p,
                unit=Unit.HUNDREDTHS,
            ),
            FormulaStep(
                formula="dp",
                text=_("from the table, for this p"),
                article=self.clauses["dp_table"],
                amount=initial.dp or 0,
                unit=Unit.CHANGE,
            ),
            FormulaStep(
                formula="Ru = Ra + dp,",
                text=_("rounded to the nearest whole number"),
                article=self.clauses["initial"],
                amount=initial.rating,
                unit=Unit.PLAIN,
                limit=_("at most 2200") if initial.is_capped else "",
            ),
        ]

    def counted_differences(self, differences: Sequence[int]) -> list[tuple[int, str]]:
        """7.3.1: a difference of more than 400 counts as 400, always."""
        return [_cap_difference(difference) for difference in differences]

    def tournament_k(self, listed: KFactor) -> KFactor:
        """7.3.3: the K of the list in force serves the tournaments that start while it is (D-4)."""
        return listed

    def list_k(self, known: Remembered, *, birth_year: int | None, on: date) -> KFactor:
        """7.3.3, the first sentence that applies (D-4)."""
        # First of all: K 10 is permanent, also for newcomers and juniors (7.3.3, D-4).
        if known.reached_2400:
            return KFactor(10, K10.key)
        if known.completed < NEWCOMER_GAMES:
            return KFactor(40, K40_NEWCOMER.key)
        if self.is_junior(birth_year, on) and not known.reached_2300:
            return KFactor(40, K40_JUNIOR.key)
        return KFactor(20, K20.key)


def _cap_difference(difference: int) -> tuple[int, str]:
    if abs(difference) <= CAP:
        return difference, ""
    return (CAP if difference > 0 else -CAP), CAPPED.key


RULES = RapidBlitz2024(
    slug="fide-rapid-blitz-2024",
    title="FIDE Rapid and Blitz Rating Regulations, applied from 1 January 2024",
    shipped_from=date(2024, 1, 1),
    floor=FLOOR,
    cap=CAP,
    pool_games=5,
    pool_months=26,
    newcomer_games=NEWCOMER_GAMES,
    most_points=700,
    junior_age=18,
    reached_low=2300,
    reached_high=2400,
    imported_k=(10, 40, 20),
    active_lists=12,
    articles={
        **ARTICLES,
        "6.1.4": _(
            "An initial rating needs 5 games against rated opponents within 26 months, and must not be "
            "below the lowest published rating."
        ),
        "7.2.3": _(
            "Ra is the average rating of the rated opponents and of two hypothetical opponents rated "
            "1800, both drawn."
        ),
        "7.2.4": _("Ru = Ra + dp, rounded to the nearest whole number, at most 2200."),
        "7.3.1": _(
            "Only games against rated opponents are rated. A difference in rating of more than 400 points "
            "counts as 400."
        ),
        "7.3.3": _(
            "K is 40 for a new player until 30 games are completed, 20 below 2400, 10 once 2400 was "
            "reached, and 40 for players below 2300 until the end of the year of their 18th birthday. "
            "If games × K exceeds 700 on a list, K is the largest whole number for which it does not."
        ),
    },
    decisions={
        **DECISIONS,
        "D-10": _(
            "A player is inactive without a rated game of the rating type on the last 12 lists, "
            "including this one."
        ),
        "D-4": _(
            "K is set when a list is published and applies to tournaments that start while that list "
            "is in effect. The first that matches: 10 if 2400 was ever reached, 40 before 30 completed "
            "games, 40 for juniors who never reached 2300, otherwise 20."
        ),
        "D-14": _(
            "The lowest published rating is 1000 on lists up to 1 December 2023 and 1400 from 1 January 2024."
        ),
    },
    reasons=reasons_of([CAPPED, LAPSED, K10, K40_NEWCOMER, K40_JUNIOR, K20]),
    points={
        _("Large rating difference"): (_("always capped at 400"), "7.3.1"),
        "K": (_("40, 20 or 10"), "7.3.3", "D-4"),
        _("Initial rating"): (
            _("two draws against hypothetical opponents rated 1800, then Ra + dp, at most 2200"),
            "7.2.3",
            "7.2.4",
        ),
    },
)
