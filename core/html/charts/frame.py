"""What every chart has: title, description, horizontal lines with their figures, labels along the foot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts.axes import Axis, percent

HEIGHT = 280
TOP = 24
BOTTOM = 236
FOOT = 262
LABELS = 8


@dataclass(frozen=True, slots=True)
class FootLabel:
    """A label at `part` of the `whole` width; a minor one gives way on a narrow screen."""

    text: str
    part: int
    whole: int
    is_minor: bool = False
    anchor: str = "middle"


def frame(
    body: Iterable[SafeString], *, kind: str, name: str, title: str | Promise, description: str | Promise
) -> SafeString:
    """Return the SVG around the body; `name` must be unique on the page, `kind` is a class."""
    return format_html(
        '<svg class="{}" height="{}" role="img" aria-labelledby="{}-title {}-desc">'
        '<title id="{}-title">{}</title><desc id="{}-desc">{}</desc>{}</svg>',
        *(kind, HEIGHT, name, name, name, title, name, description),
        format_html_join("", "{}", ((part,) for part in body)),
    )


def grid(axis: Axis) -> SafeString:
    """Return a line and a figure for every step of the axis; the lowest line is the foot."""
    rows = ((_grid_class(axis, value), axis.y(value), value) for value in axis.lines())
    return format_html_join(
        "",
        '<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/><text x="-8" y="{}" text-anchor="end">{}</text>',
        ((css, y, y, y + 4, number_format(value, force_grouping=value >= 10_000)) for css, y, value in rows),
    )


def foot(labels: Iterable[FootLabel]) -> SafeString:
    """Return the labels along the foot."""
    return format_html_join(
        "",
        '<text{} x="{}" y="{}" text-anchor="{}">{}</text>',
        (
            (
                mark_safe(' class="minor"') if label.is_minor else "",
                percent(label.part, label.whole),
                FOOT,
                label.anchor,
                label.text,
            )
            for label in labels
        ),
    )


def every(count: int, *, most: int = LABELS) -> int:
    """Return n such that each n-th of `count` labels gives at most `most`."""
    return max(1, -(-count // most))


def chosen(texts: Sequence[str], *, most: int = LABELS) -> list[tuple[int, str, bool]]:
    """Return (place, text, is it minor) of the labels that fit."""
    gap = every(len(texts), most=most)
    places = range(0, len(texts), gap)
    return [(place, texts[place], order % 2 == 1) for order, place in enumerate(places)]


def _grid_class(axis: Axis, value: int) -> str:
    return "chart-axis" if value == axis.low else "chart-grid"
