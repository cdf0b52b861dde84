"""Shares as lines over bands; several of them may be compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    Axis,
    End,
    axis_for,
    end_labels,
    foot,
    foot_labels,
    frame,
    grid,
    percent,
    stretch,
)

PARTS = 10
# The scale spans at least so many tenths, so that a small movement stays small.
LEAST_SPAN = 100
RADIUS, LEAST_RADIUS, MOST_RADIUS = 3, 2, 7
Write = Callable[[int | None], str]


@dataclass(frozen=True, slots=True)
class Curve:
    """A line: a value in tenths at each label, None where there is none. `kind` is the class that colours it.

    Where `weights` has a number for each label, a larger circle marks the value that counts more.
    """

    kind: str
    label: str | Promise
    values: Sequence[int | None]
    is_dashed: bool = False
    weights: Sequence[int] = ()

    def radius(self, place: int) -> int:
        """Return the radius of the mark in pixels; its area follows the weight."""
        if not self.weights:
            return RADIUS
        share = self.weights[place] / max(1, *self.weights)
        return round(LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * math.sqrt(share))

    def points(self) -> Iterator[tuple[int, int]]:
        """Yield the places that have a value, with it."""
        return ((place, value) for place, value in enumerate(self.values) if value is not None)


def curve_chart_svg(
    labels: Sequence[str],
    curves: Sequence[Curve],
    *,
    title: str | Promise,
    description: str | Promise,
    name: str,
    write: Write,
) -> SafeString:
    """Return the lines with a mark at each value and a label at each end; an empty text without any value."""
    drawn = [curve for curve in curves if any(curve.points())]
    if not drawn:
        return mark_safe("")
    values = [value for curve in drawn for _, value in curve.points()]
    axis = axis_for(values, least_span=LEAST_SPAN)
    # The last point may be off the line.
    ends = [
        End(
            str(curve.label),
            f"{curve.kind} is-dashed" if curve.is_dashed else curve.kind,
            len(labels),
            axis.y(max(curve.points())[1]),
        )
        for curve in drawn
    ]
    body = [
        grid(axis, parts=PARTS),
        _lines(drawn, axis, len(labels)),
        foot(foot_labels(labels)),
        *(_marks(curve, axis, labels, write) for curve in drawn),
        end_labels(ends, whole=len(labels)),
    ]
    return frame(body, kind="history", name=name, title=title, description=description, ends=ends)


def _lines(curves: Sequence[Curve], axis: Axis, count: int) -> SafeString:
    lines = format_html_join(
        "",
        '<path class="chart-line kind-{}{}" vector-effect="non-scaling-stroke" d="{}"/>',
        ((curve.kind, " is-dashed" if curve.is_dashed else "", _path(curve, axis)) for curve in curves),
    )
    return stretch(lines, width=2 * count)


def _path(curve: Curve, axis: Axis) -> str:
    """Return the path from value to value, lifted where there is none."""
    path, reached = "", -2
    for place, value in curve.points():
        path += f"{'L' if reached == place - 1 else 'M'}{2 * place + 1} {axis.y(value)}"
        reached = place
    return path


def _marks(curve: Curve, axis: Axis, labels: Sequence[str], write: Write) -> SafeString:
    return format_html_join(
        "",
        '<circle class="chart-mark kind-{}" cx="{}" cy="{}" r="{}"><title>{}: {}, {}</title></circle>',
        (
            (
                curve.kind,
                percent(2 * place + 1, 2 * len(labels)),
                axis.y(value),
                curve.radius(place),
                labels[place],
                curve.label,
                write(value),
            )
            for place, value in curve.points()
        ),
    )
