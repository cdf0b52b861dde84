"""Exact rounding. Every figure that is rounded is an integer or a `Fraction`; no binary float takes part."""

from __future__ import annotations

from fractions import Fraction


def half_away_from_zero(value: Fraction | int) -> int:
    """Return the nearest whole number; exact halves go away from zero (FIDE R&B 2024, 7.3.4)."""
    value = Fraction(value)
    magnitude = (2 * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    return magnitude if value >= 0 else -magnitude


def half_up(value: Fraction | int) -> int:
    """Return the nearest whole number; exact halves go up (D-7)."""
    value = Fraction(value)
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


def hundredths_half_up(value: Fraction | int) -> int:
    """Return the value in hundredths, exact halves up (D-7): 1/8 is 13."""
    return half_up(Fraction(value) * 100)


def half_away_from_zero_hundredths(hundredths: int) -> int:
    """Return hundredths as whole points, exact halves away from zero (FIDE R&B 2024, 7.3.4)."""
    magnitude = (abs(hundredths) + 50) // 100
    return magnitude if hundredths >= 0 else -magnitude
