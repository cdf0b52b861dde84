"""What every chart has: a scale in whole numbers, title, description, grid, labels along the foot and at the ends.

Widths are shares of the figure and heights are pixels, so that letters keep their size on every screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

MAX_LINES = 6
HEIGHT, TOP, BOTTOM, FOOT = 280, 24, 236, 262
LABELS = 8


@dataclass(frozen=True, slots=True)
class Axis:
    """A vertical scale from `low` to `high` with a line at every `step`, drawn from `TOP` down to `BOTTOM` (pixels)."""

    low: int
    high: int
    step: int

    def y(self, value: int) -> int:
        """Return the pixel of a value, to the nearest."""
        span = self.high - self.low
        return BOTTOM - (2 * (value - self.low) * (BOTTOM - TOP) + span) // (2 * span)

    def lines(self) -> range:
        """Return the values that have a line."""
        return range(self.low, self.high + 1, self.step)


def axis_for(values: Sequence[int], *, least_span: int) -> Axis:
    """Return a scale for all values, at least `least_span` wide, that ends on whole steps.

    The least span keeps a change of a few points from filling the chart. No value lies on the foot.
    """
    low, high = min(values), max(values)
    missing = max(0, least_span - (high - low))
    low, high = low - (missing + 1) // 2, high + missing // 2
    step = nice_step(high - low)
    return Axis((low - step // 4) // step * step, -(-high // step) * step, step)


def axis_from_zero(values: Sequence[int]) -> Axis:
    """Return a scale from 0 for all values, so that the height of a bar is its value."""
    high = max([1, *values])
    step = nice_step(high)
    return Axis(0, -(-high // step) * step, step)


def nice_step(span: int) -> int:
    """Return the smallest of 1, 2, 5, 10, 20, 50, ... that divides the span into few enough parts."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if span <= factor * power * (MAX_LINES - 1):
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


@dataclass(frozen=True, slots=True)
class FootLabel:
    """A label at `part` of the `whole` width; a minor one gives way on a narrow screen."""

    text: str
    part: int
    whole: int
    is_minor: bool = False
    anchor: str = "middle"


def frame(
    body: Iterable[SafeString],
    *,
    kind: str,
    name: str,
    title: str | Promise,
    description: str | Promise,
    height: int = HEIGHT,
    ends: Sequence[End] = (),
) -> SafeString:
    """Return the SVG around the body; `name` must be unique on the page, `kind` is a class.

    The lines that end in `ends` have a legend below it, for a narrow screen.
    """
    return format_html(
        # Screen readers differ in whether they read the title of an SVG that nothing refers to.
        '<svg class="{kind}" height="{height}" role="img" aria-labelledby="{name}-title {name}-desc">'
        '<title id="{name}-title">{title}</title><desc id="{name}-desc">{description}</desc>{body}</svg>{legend}',
        kind=kind,
        height=height,
        name=name,
        title=title,
        description=description,
        body=format_html_join("", "{}", ((part,) for part in body)),
        legend=_legend(ends) if ends else "",
    )


def grid(axis: Axis, *, parts: int = 1) -> SafeString:
    """Return a line and a figure for every step of the axis; the lowest line is the foot.

    The axis counts in parts of the unit that the figures have: 10 for tenths.
    """
    rows = (
        ("chart-axis" if value == axis.low else "chart-grid", axis.y(value), value) for value in axis.lines()
    )
    decimals = 1 if axis.step % parts else 0
    return format_html_join(
        "",
        '<line class="{}" x1="0" x2="100%" y1="{}" y2="{}"/><text x="-8" y="{}" text-anchor="end">{}</text>',
        ((css, y, y, y + 4, _axis_figure(value, parts, decimals)) for css, y, value in rows),
    )


def _axis_figure(value: int, parts: int, decimals: int) -> str:
    figure = number_format(Decimal(value) / parts, decimals, force_grouping=value >= 10_000 * parts)
    return figure.replace("-", "−")


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


def choose_labels(texts: Sequence[str]) -> list[tuple[int, str, bool]]:
    """Return (place, text, is it minor) of the labels that fit."""
    gap = every(len(texts))
    places = range(0, len(texts), gap)
    return [(place, texts[place], order % 2 == 1) for order, place in enumerate(places)]


def foot_labels(texts: Sequence[str]) -> list[FootLabel]:
    """Return the labels that fit along the foot, each in the middle of its place."""
    return [
        FootLabel(text, 2 * place + 1, 2 * len(texts), is_minor)
        for place, text, is_minor in choose_labels(texts)
    ]


LABEL_GAP = 18


class End(NamedTuple):
    """The end of a line and what follows it, `ahead`."""

    label: str
    kind: str
    part: int
    y: int
    ahead: str = ""
    ahead_y: int = 0


def end_labels(ends: Sequence[End], *, whole: int) -> SafeString:
    """Return the labels of lines beside their ends; a narrow screen has the legend of the frame."""
    labels = [(end.label, end.kind, end.part, end.y) for end in ends]
    labels += [(end.ahead, f"{end.kind} so-far", end.part, end.ahead_y) for end in ends if end.ahead]
    beside = spread([y + 5 for *_, y in labels], gap=LABEL_GAP, low=TOP, high=BOTTOM)
    return format_html_join(
        "",
        '<text class="chart-label kind-{}" x="{}" dx="8" y="{}">{}</text>',
        (
            (kind, percent(part, whole), y, label)
            for (label, kind, part, _y), y in zip(labels, beside, strict=True)
        ),
    )


def _legend(ends: Sequence[End]) -> SafeString:
    texts = [
        (kind, text)
        for end in ends
        for kind, text in ((end.kind, end.label), (f"{end.kind} is-dashed", end.ahead))
        if text
    ]
    names = format_html_join(" ", '<span class="kind-{}">{}</span>', texts)
    return format_html('<p class="chart-legend small">{}</p>', names)


def stretch(body: SafeString, *, width: int) -> SafeString:
    """Return the plot around the body, one unit of the width a step, stretched to the figure."""
    return format_html(
        # The lines of the body need `non-scaling-stroke`, or they are stretched as well.
        '<svg class="chart-plot" x="0" y="0" width="100%" height="{height}" '
        'viewBox="0 0 {width} {height}" preserveAspectRatio="none">{body}</svg>',
        height=BOTTOM + 8,
        width=width,
        body=body,
    )
