"""Scales of charts in whole numbers: equal data give equal bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_LINES = 6


@dataclass(frozen=True, slots=True)
class Axis:
    """A vertical scale from `low` to `high` with a line at every `step`, drawn from `top` down to `bottom` (pixels)."""

    low: int
    high: int
    step: int
    top: int
    bottom: int

    def y(self, value: int) -> int:
        """Return the pixel of a value, to the nearest."""
        height = self.bottom - self.top
        span = self.high - self.low
        return self.bottom - (2 * (value - self.low) * height + span) // (2 * span)

    def lines(self) -> range:
        """Return the values that have a line."""
        return range(self.low, self.high + 1, self.step)


def axis_for(values: Sequence[int], *, least_span: int, top: int, bottom: int) -> Axis:
    """Return a scale that holds all values, at least `least_span` wide, its ends on whole steps.

    A small movement stays small: the least span keeps a change of a few points from filling the chart.
    """
    low, high = min(values), max(values)
    missing = max(0, least_span - (high - low))
    low, high = low - (missing + 1) // 2, high + missing // 2
    step = nice_step(high - low)
    return Axis(low // step * step, -(-high // step) * step, step, top, bottom)


def axis_from_zero(values: Sequence[int], *, top: int, bottom: int) -> Axis:
    """Return a scale from 0 that holds all values: the height of a bar means its value."""
    high = max([1, *values])
    step = nice_step(high)
    return Axis(0, -(-high // step) * step, step, top, bottom)


def nice_step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, ... that divides the span into few enough parts."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if span <= factor * power * (MOST_LINES - 1):
                return factor * power
        power *= 10


def percent(part: int, whole: int) -> str:
    """Return a share of the width with two decimals: `37.50%`."""
    hundredths = (2 * 10_000 * part + whole) // (2 * whole)
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def spread(wanted: Sequence[int], *, gap: int, low: int, high: int) -> list[int]:
    """Return the places nearest to those wanted, at least `gap` apart and between `low` and `high` where that fits."""
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    places = list(wanted)
    floor = low
    for index in order:
        places[index] = floor = max(floor, wanted[index])
        floor += gap
    ceiling = high
    for index in reversed(order):
        places[index] = ceiling = min(ceiling, places[index])
        ceiling -= gap
    return places
