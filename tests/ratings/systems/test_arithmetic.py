"""Exact rounding and the two conversion tables."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.arithmetic import (
    dp,
    half_away_from_zero,
    half_away_from_zero_hundredths,
    half_up,
    hundredths_half_up,
)

# Value, half away from zero, half up.
EXAMPLES = [
    (Fraction(0), 0, 0),
    (Fraction(1, 2), 1, 1),
    (Fraction(-1, 2), -1, 0),
    (Fraction(3, 2), 2, 2),
    (Fraction(-3, 2), -2, -1),
    (Fraction(5, 2), 3, 3),
    (Fraction(-5, 2), -3, -2),
    (Fraction(49, 100), 0, 0),
    (Fraction(-49, 100), 0, 0),
    (Fraction(51, 100), 1, 1),
    (Fraction(-51, 100), -1, -1),
    (Fraction(10**30 + 1, 2), 5 * 10**29 + 1, 5 * 10**29 + 1),
    (Fraction(7), 7, 7),
    (Fraction(-7), -7, -7),
]


@pytest.mark.parametrize(("value", "away", "up"), EXAMPLES)
def test_7_3_4_half_goes_away_from_zero(value: Fraction, away: int, up: int) -> None:
    assert half_away_from_zero(value) == away


@pytest.mark.parametrize(("value", "away", "up"), EXAMPLES)
def test_d7_half_goes_up(value: Fraction, away: int, up: int) -> None:
    assert half_up(value) == up


@pytest.mark.parametrize(
    ("value", "hundredths"),
    [
        (Fraction(1, 8), 13),
        (Fraction(3, 8), 38),
        (Fraction(5, 8), 63),
        (Fraction(1, 200), 1),
        (Fraction(1, 3), 33),
        (Fraction(2, 3), 67),
        (0, 0),
        (1, 100),
    ],
)
def test_d7_fractional_score_in_hundredths(value: Fraction | int, hundredths: int) -> None:
    assert hundredths_half_up(value) == hundredths


@given(st.fractions())
def test_half_away_from_zero_is_the_nearest_whole_number(value: Fraction) -> None:
    rounded = half_away_from_zero(value)
    assert abs(rounded - value) <= Fraction(1, 2)
    assert abs(rounded) >= abs(value) or abs(rounded - value) < Fraction(1, 2)
    assert half_away_from_zero(-value) == -rounded


@given(st.fractions())
def test_half_up_is_the_nearest_whole_number_from_below(value: Fraction) -> None:
    assert -Fraction(1, 2) < half_up(value) - value <= Fraction(1, 2)


@given(st.integers())
def test_hundredths_round_as_the_fraction_does(hundredths: int) -> None:
    assert half_away_from_zero_hundredths(hundredths) == half_away_from_zero(Fraction(hundredths, 100))


@pytest.mark.parametrize("hundredths", [-1, -100, 101])
def test_7_1_1_holds_no_score_below_nothing_or_above_all(hundredths: int) -> None:
    with pytest.raises(IndexError):
        dp(hundredths)
