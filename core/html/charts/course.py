"""The course of a rating, change by change, as one step line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    Axis,
    End,
    FootLabel,
    axis_for,
    end_labels,
    every,
    foot,
    frame,
    grid,
    stretch,
)
from core.html.dates import short_date

LEAST_COURSE_SPAN = 100
MAX_LABELS = 4
DAY = 24 * 60


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
    until: datetime,
    kind: str = "rapid",
) -> SafeString:
    """Return the chart of changes in their order, lifted where there was no rating; an empty text without any rating.

    It is as wide as the days from the first change to `until`, or to a later last one. A change that arrived late
    stands at the latest before it. `kind` is the class that colours the line. Ratings span at least 100 points, so
    that a few never look like a leap.
    """
    ratings = [change.rating for change in changes if change.rating is not None]
    if not ratings:
        return mark_safe("")
    axis = axis_for(ratings, least_span=LEAST_COURSE_SPAN)
    start = min(change.at for change in changes).replace(hour=0, minute=0, second=0, microsecond=0)
    last = changes[-1].rating
    ends = [] if last is None else [End(f"{label} {last}", kind, 1, axis.y(last))]
    days = (max(until, *(change.at for change in changes)) - start).days + 1
    named = range(0, days, every(days, most=MAX_LABELS))
    body = [
        grid(axis),
        _course_plot(changes, axis, kind, start=start, days=days),
        foot(
            FootLabel(short_date(start + timedelta(day)), day, days, is_minor=place % 2 == 1, anchor="start")
            for place, day in enumerate(named)
        ),
        end_labels(ends, whole=1),
    ]
    return frame(body, kind="history", name="course", title=title, description=description, ends=ends)


def _course_plot(
    changes: Sequence[ChartChange], axis: Axis, kind: str, *, start: datetime, days: int
) -> SafeString:
    path, is_drawn, x = "", False, 0
    for change in changes:
        x = max(x, (change.at - start) // timedelta(minutes=1))
        if is_drawn:
            path += f"H{x}"
        if change.rating is not None:
            path += f"V{axis.y(change.rating)}" if is_drawn else f"M{x} {axis.y(change.rating)}"
        is_drawn = change.rating is not None
    if is_drawn:
        path += f"H{days * DAY}"
    line = '<path class="chart-line kind-{}" vector-effect="non-scaling-stroke" d="{}"/>'
    return stretch(format_html(line, kind, path), width=days * DAY)
