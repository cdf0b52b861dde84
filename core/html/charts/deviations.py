"""Bars up and down from zero: averages with a sign, the values at their ends, a stretch of reference behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    BOTTOM,
    TOP,
    Axis,
    foot,
    foot_labels,
    frame,
    grid,
    nice_step,
    percent,
)
from core.html.figures import signed_tenths

PARTS = 10
# A bar has its value outside it, below it where it points down.
ABOVE, BELOW = -6, 16
LEAST_SPAN = 10


@dataclass(frozen=True, slots=True)
class Deviation:
    """A bar with its label and value in tenths, None without one; a reference bar has a mark behind it."""

    label: str
    tenths: int | None
    is_reference: bool = False


def deviation_chart_svg(
    bars: Sequence[Deviation],
    *,
    title: str | Promise,
    description: str | Promise,
    name: str,
    reference: str | Promise = "",
) -> SafeString:
    """Return the bars, with `reference` as the label above those of reference; an empty text without any value."""
    values = [bar.tenths for bar in bars if bar.tenths is not None]
    if not values:
        return mark_safe("")
    axis = _axis_around_zero(values)
    body = [
        _reference(bars, reference),
        grid(axis, parts=PARTS),
        _zero(axis),
        _bars(bars, axis),
        foot(foot_labels([bar.label for bar in bars])),
    ]
    return frame(body, kind="bars", name=name, title=title, description=description)


def _axis_around_zero(values: Sequence[int]) -> Axis:
    """Return a scale with the same room above and below zero."""
    most = max(LEAST_SPAN, *(abs(value) for value in values))
    step = nice_step(2 * most)
    end = -(-most // step) * step
    return Axis(-end, end, step, TOP, BOTTOM)


def _zero(axis: Axis) -> SafeString:
    y = axis.y(0)
    return format_html('<line class="chart-zero" x1="0" x2="100%" y1="{}" y2="{}"/>', y, y)


def _reference(bars: Sequence[Deviation], label: str | Promise) -> SafeString:
    """Return the stretch behind the bars of reference, which stand side by side."""
    places = [place for place, bar in enumerate(bars) if bar.is_reference]
    if not places:
        return mark_safe("")
    middle = percent(places[0] + places[-1] + 1, 2 * len(bars))
    return format_html(
        '<rect class="chart-reference" x="{}" y="{}" width="{}" height="{}"/>'
        '<text class="minor" x="{}" y="{}" text-anchor="middle">{}</text>',
        percent(places[0], len(bars)),
        TOP - 12,
        percent(len(places), len(bars)),
        BOTTOM - TOP + 12,
        middle,
        TOP,
        label,
    )


def _bars(bars: Sequence[Deviation], axis: Axis) -> SafeString:
    shown = [(place, bar.label, bar.tenths) for place, bar in enumerate(bars) if bar.tenths is not None]
    return format_html_join(
        "",
        '<rect class="chart-deviation {}" x="{}" y="{}" width="{}" height="{}"><title>{}: {}</title></rect>'
        '<text class="chart-value" x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (
                "is-down" if tenths < 0 else "is-up",
                percent(10 * place + 2, 10 * len(bars)),
                min(axis.y(tenths), axis.y(0)),
                percent(6, 10 * len(bars)),
                abs(axis.y(tenths) - axis.y(0)),
                label,
                signed_tenths(tenths),
                percent(2 * place + 1, 2 * len(bars)),
                axis.y(tenths) + (BELOW if tenths < 0 else ABOVE),
                signed_tenths(tenths),
            )
            for place, label, tenths in shown
        ),
    )
