"""Upright bars from zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    BOTTOM,
    Axis,
    axis_from_zero,
    foot,
    foot_labels,
    frame,
    grid,
    percent,
)
from core.html.tables import Label, Table

MAX_VALUES = 16
# More beside each other do not fit on a phone.
MAX_PHONE_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its label and number."""

    label: str
    value: int


def bar_chart_svg(
    bars: Sequence[Bar], *, title: str | Promise, description: str | Promise, name: str = "distribution"
) -> SafeString:
    """Return upright bars from zero, their values above them where there are few; an empty text without bars."""
    if not bars:
        return mark_safe("")
    axis = axis_from_zero([bar.value for bar in bars])
    labels = foot_labels([bar.label for bar in bars])
    body = [grid(axis), _bars(bars, axis), _values(bars, axis), foot(labels)]
    return frame(body, kind="bars", name=name, title=title, description=description)


def bar_chart_table(bars: Sequence[Bar], *, heads: tuple[Label, Label]) -> Table:
    """Return the same figures as a table."""
    return Table(list(heads), [[bar.label, _number(bar.value)] for bar in bars])


def _bars(bars: Sequence[Bar], axis: Axis) -> SafeString:
    """Return the rectangles, a tenth of each place left free on both sides."""
    tenths = 10 * len(bars)
    return format_html_join(
        "",
        '<rect class="chart-bar" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>',
        (
            (
                percent(10 * place + 1, tenths),
                axis.y(bar.value),
                percent(8, tenths),
                BOTTOM - axis.y(bar.value),
                bar.label,
                _number(bar.value),
            )
            for place, bar in enumerate(bars)
        ),
    )


def _values(bars: Sequence[Bar], axis: Axis) -> SafeString:
    if len(bars) > MAX_VALUES:
        return mark_safe("")
    is_wide = len(bars) * max(len(_number(bar.value)) for bar in bars) > MAX_PHONE_DIGITS
    return format_html_join(
        "",
        '<text class="chart-value{}" x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (
                " minor" if is_wide else "",
                percent(2 * place + 1, 2 * len(bars)),
                axis.y(bar.value) - 6,
                _number(bar.value),
            )
            for place, bar in enumerate(bars)
        ),
    )


def _number(value: int) -> str:
    return number_format(value, force_grouping=True)


def balance_svg(value: int, widest: int) -> SafeString:
    """Return a bar from the middle of a cell of a table, to the right for a gain; the cell beside it has the number."""
    width = round(50 * abs(value) / widest) if widest else 0
    return format_html(
        '<svg class="balance" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="chart-bar" x="{}" y="1" width="{}" height="8"></rect>'
        '<rect class="chart-axis" x="49.75" y="0" width="0.5" height="10"></rect></svg>',
        50 if value > 0 else 50 - width,
        width,
    )


def band_svg(values: Sequence[int], band: tuple[int, int] | None) -> SafeString:
    """Return the last value as a dot after the line of those before it, over the band where it may be.

    The band is the scale, so that the dot shows how near a bound is; what is out of it lies just above or below.
    """
    low, high = band or (min(values), max(values))

    def y(value: int) -> float:
        return min(22, max(2, round(19 - 14 * (value - low) / (high - low), 1))) if high > low else 12

    step = 96 / max(1, len(values) - 1)
    points = " ".join(f"{2 + round(place * step, 1)},{y(value)}" for place, value in enumerate(values))
    return format_html(
        '<svg class="figure-band" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true">'
        '<rect x="0" y="4" width="100" height="{}"></rect>'
        '<polyline points="{}"></polyline><path d="M{},{}h0"></path></svg>',
        16 if band else 0,
        points,
        2 + round((len(values) - 1) * step, 1),
        y(values[-1]),
    )
