"""The course of a rating from change to change: a step line for ratings that move with every game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import pgettext

from core.html.charts.axes import Axis, axis_for, percent
from core.html.charts.frame import BOTTOM, TOP, FootLabel, chosen, foot, frame, grid

LEAST_SPAN = 100
MOST_LABELS = 6


@dataclass(frozen=True, slots=True)
class Change:
    """A whole rating after a change, None while there was none, and when it happened."""

    at: datetime
    rating: int | None


def course_svg(
    changes: Sequence[Change],
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
    axis = axis_for(ratings, least_span=LEAST_SPAN, top=TOP, bottom=BOTTOM)
    days = [date_format(change.at, pgettext("date", "j M Y")) for change in changes]
    labels = [
        FootLabel(text, place, len(changes), is_minor, "start")
        for place, text, is_minor in chosen(days, most=MOST_LABELS)
    ]
    body = [grid(axis), _plot(changes, axis, kind), foot(labels), _end(changes, axis, label, kind)]
    return frame(body, kind="history", name=name, title=title, description=description)


def _plot(changes: Sequence[Change], axis: Axis, kind: str) -> SafeString:
    path, is_drawn = "", False
    for place, change in enumerate(changes):
        if change.rating is not None:
            start = f"V{axis.y(change.rating)}" if is_drawn else f"M{place} {axis.y(change.rating)}"
            path += f"{start}H{place + 1}"
        is_drawn = change.rating is not None
    return format_html(
        '<svg class="chart-plot" x="0" y="0" width="100%" height="{}" viewBox="0 0 {} {}" preserveAspectRatio="none">'
        '<path class="chart-line kind-{}" vector-effect="non-scaling-stroke" d="{}"/></svg>',
        *(BOTTOM + 8, len(changes), BOTTOM + 8, kind, path),
    )


def _end(changes: Sequence[Change], axis: Axis, label: str | Promise, kind: str) -> SafeString:
    """Return the line's label beside its end: in one line, and in two for a narrow screen."""
    last = changes[-1].rating
    if last is None:
        return mark_safe("")
    x, y = percent(1, 1), axis.y(last)
    return format_html(
        '<text class="chart-label wide kind-{}" x="{}" dx="8" y="{}">{} {}</text>'
        '<text class="chart-label narrow kind-{}" x="{}" dx="6" y="{}">{}'
        '<tspan x="{}" dx="6" dy="14">{}</tspan></text>',
        *(kind, x, y + 5, label, last, kind, x, y - 2, label, x, last),
    )
