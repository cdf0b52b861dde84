"""The course of a rating, change by change, as one step line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    BOTTOM,
    TOP,
    Axis,
    axis_for,
    end_label,
    foot,
    foot_labels,
    frame,
    grid,
    percent,
    stretch,
)
from core.html.dates import short_date

LEAST_COURSE_SPAN = 100
MAX_LABELS = 6


@dataclass(frozen=True, slots=True)
class ChartChange:
    """A whole rating after a change, None while there was none, and when it happened."""

    at: datetime
    rating: int | None


def course_svg(
    changes: Sequence[ChartChange],
    *,
    label: str | Promise,
    title: str | Promise,
    description: str | Promise,
    kind: str = "rapid",
    name: str = "course",
) -> SafeString:
    """Return the chart of changes in their order, lifted where there was no rating; an empty text without any rating.

    `kind` is the class that colours the line. Ratings span at least 100 points, so that a few never look like a leap.
    """
    ratings = [change.rating for change in changes if change.rating is not None]
    if not ratings:
        return mark_safe("")
    axis = axis_for(ratings, least_span=LEAST_COURSE_SPAN, top=TOP, bottom=BOTTOM)
    days = [short_date(change.at) for change in changes]
    body = [
        grid(axis),
        _course_plot(changes, axis, kind),
        foot(foot_labels(days, most=MAX_LABELS, anchor="start")),
        _course_end(changes, axis, label, kind),
    ]
    return frame(body, kind="history", name=name, title=title, description=description)


def _course_plot(changes: Sequence[ChartChange], axis: Axis, kind: str) -> SafeString:
    path, is_drawn = "", False
    for place, change in enumerate(changes):
        if change.rating is not None:
            start = f"V{axis.y(change.rating)}" if is_drawn else f"M{place} {axis.y(change.rating)}"
            path += f"{start}H{place + 1}"
        is_drawn = change.rating is not None
    line = '<path class="chart-line kind-{}" vector-effect="non-scaling-stroke" d="{}"/>'
    return stretch(format_html(line, kind, path), width=len(changes))


def _course_end(changes: Sequence[ChartChange], axis: Axis, label: str | Promise, kind: str) -> SafeString:
    """Return the line's label beside its end: in one line, and in two for a narrow screen."""
    last = changes[-1].rating
    if last is None:
        return mark_safe("")
    x, y = percent(1, 1), axis.y(last)
    return end_label(label, last, kind=kind, x=x, wide_y=y + 5, narrow_y=y - 2)
