"""Exact figures as text: hundredths and half points of a point, never a binary fraction."""

from __future__ import annotations


def hundredths(value: int | None) -> str | None:
    """Return hundredths as a decimal: -320 gives `-3.20`."""
    if value is None:
        return None
    whole, rest = divmod(abs(value), 100)
    return f"{'-' if value < 0 else ''}{whole}.{rest:02}"


def half_points(value: int | None) -> str | None:
    """Return half points as a decimal: 5 gives `2.5`."""
    if value is None:
        return None
    return f"{value // 2}.{5 * (value % 2)}"
