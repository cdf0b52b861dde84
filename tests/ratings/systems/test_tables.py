"""Tables 7.1.1 and 7.1.2, cell by cell, against the rows as the text prints them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ratings.systems.tables import dp, scoring_probability
from tests.ratings.systems.oracle_figures import table_of_differences, table_of_scores

SCORES = sorted(table_of_scores().items())
BEYOND_THE_TABLE = (737, 1000, 2999)


def test_7_1_1_has_a_cell_for_every_hundredth() -> None:
    assert [score for score, _ in SCORES] == [Fraction(hundredth, 100) for hundredth in range(101)]


@pytest.mark.parametrize(("score", "difference"), SCORES, ids=lambda value: str(value))
def test_7_1_1_dp_of_a_fractional_score(score: Fraction, difference: int) -> None:
    assert dp(int(score * 100)) == difference


@pytest.mark.parametrize("hundredths", [-1, -100, 101])
def test_7_1_1_holds_no_score_below_nothing_or_above_all(hundredths: int) -> None:
    with pytest.raises(IndexError):
        dp(hundredths)


def test_7_1_2_has_a_row_for_every_difference() -> None:
    rows = table_of_differences()
    assert [low for low, *_ in rows[:1]] == [0]
    assert len(rows) == 51
    assert sorted(low for low, *_ in rows)[1:] == sorted(high + 1 for _, high, *_ in rows)[:-1]


@pytest.mark.parametrize(("low", "high", "higher", "lower"), table_of_differences())
def test_7_1_2_pd_of_every_difference_of_a_row(
    low: int, high: int, higher: Fraction, lower: Fraction
) -> None:
    differences = range(low, min(high, 800) + 1)
    assert {scoring_probability(difference) for difference in differences} == {higher * 100}
    assert {scoring_probability(-difference) for difference in differences if difference} <= {lower * 100}


@pytest.mark.parametrize("difference", BEYOND_THE_TABLE)
def test_7_1_2_pd_of_more_than_735(difference: int) -> None:
    assert (scoring_probability(difference), scoring_probability(-difference)) == (100, 0)
