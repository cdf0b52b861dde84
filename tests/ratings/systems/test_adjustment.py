"""The formula of an adjustment of a whole list (D-133), by worked figures."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from ratings.systems.otb.adjustment import Adjustment
from ratings.systems.otb.period import EXCLUDED, Period, calculate
from ratings.systems.otb.values import PlayerState

LIST_DATE = date(2026, 2, 1)
# FIDE's own of March 2024.
FORMULA = Adjustment(limit=2000, share=Fraction(2, 5))


@pytest.mark.parametrize(
    ("formula", "rating", "after"),
    [
        (FORMULA, 1000, 1400),
        (FORMULA, 1998, 1999),
        (FORMULA, 1999, 1999),
        (FORMULA, 2000, 2000),
        (FORMULA, 2600, 2600),
        # 1/2 x 1 is a half, away from zero on both sides.
        (Adjustment(2000, Fraction(1, 2)), 1999, 2000),
        (Adjustment(2000, Fraction(1, 2), is_above=True), 2001, 2000),
        (Adjustment(2000, Fraction(1, 10), is_above=True), 2100, 2090),
        (Adjustment(2000, Fraction(1, 10), is_above=True), 1900, 1900),
        (Adjustment(2000, Fraction(2, 5), least=1700), 1100, 1700),
        (Adjustment(2000, Fraction(2, 5), least=1700), 1600, 1760),
    ],
)
def test_d133_formula_adds_a_share_of_the_difference(formula: Adjustment, rating: int, after: int) -> None:
    assert formula.adjusted(rating) == after


def test_d133_evidence_names_the_exact_share_of_a_formula() -> None:
    formula = Adjustment(2500, Fraction(1, 3), is_above=True, least=2100)
    assert formula.as_row() == {"limit": 2500, "side": "above", "share": "1/3", "least": 2100}


def test_d133_exact_rating_of_a_corrected_history_gets_whole_points() -> None:
    """0.4 x (2000 - 1700.50) = 119.8, rounded 120."""
    assert FORMULA.adjusted_hundredths(170050) == 170050 + 12000


@pytest.mark.parametrize(("rating", "after"), [(1000, 1400), (990, None), (1800, 1880)])
def test_d133_adjustment_comes_before_the_floor(rating: int, after: int | None) -> None:
    """990 + 404 is under 1400."""
    state = PlayerState(rating=rating, k=20, completed=30)
    result = calculate(Period(LIST_DATE, state=state, adjustment=FORMULA))
    assert result.rating == after


def test_d133_rating_that_is_withheld_is_none_of_the_list() -> None:
    state = PlayerState(rating=1500, k=20, completed=30)
    result = calculate(Period(LIST_DATE, state=state, barred=EXCLUDED, adjustment=FORMULA))
    assert (result.rating, result.kept, result.adjustment) == (None, 1500, 0)
