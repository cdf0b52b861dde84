"""How figures of an explanation are written: decimal texts, exact where a finite decimal is short enough."""

from __future__ import annotations

from fractions import Fraction

from ratings.systems.rounding import half_away_from_zero


def in_points(hundredths: int) -> str:
    """Return hundredths of a point with both decimals: 179960 is `1799.60`."""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02d}"


def in_score(half_points: int) -> str:
    """Return half points as a score: 0, 0.5, 1, 1.5."""
    return f"{half_points // 2}{'.5' if half_points % 2 else ''}"


def in_decimals(value: Fraction, *, places: int = 8) -> str:
    """Return a decimal text without trailing zeros; what has more decimals is rounded to `places`."""
    scaled = half_away_from_zero(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    decimals = f"{rest:0{places}d}".rstrip("0")
    return f"{'-' if scaled < 0 else ''}{whole}{'.' if decimals else ''}{decimals}"
