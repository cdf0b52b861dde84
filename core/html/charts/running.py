"""A total after each of several steps, as one line with a step for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from core.html.charts import (
    Axis,
    FootLabel,
    axis_for,
    choose_labels,
    foot,
    frame,
    grid,
    percent,
    stretch,
)
from core.html.tables import Label, Table

# Totals are hundredths; the scale spans 10 of the unit at least, so that a small change stays small.
PARTS, LEAST_SPAN = 100, 1000
MOST_NAMES, MOST_NAMES_ON_A_PHONE = 10, 5
Write = Callable[[int], str]


def running_total_svg(
    labels: Sequence[str],
    totals: Sequence[int],
    *,
    kind: str,
    title: str | Promise,
    description: str | Promise,
    write: Write,
    starts: Sequence[tuple[int, str]] = (),
) -> SafeString:
    """Return the line of the totals, with a label at the first, highest, lowest and last one.

    `labels` names each total, the first one included. Where several parts follow each other, `starts` are the places at
    which they begin, with their names along the foot. An empty text for fewer than two steps.
    """
    steps = len(totals) - 1
    if steps < 2:
        return mark_safe("")
    axis = axis_for(totals, least_span=LEAST_SPAN)
    path = f"M0 {axis.y(totals[0])}" + "".join(
        f"H{place}V{axis.y(total)}" for place, total in enumerate(totals[1:], start=1)
    )
    line = '<path class="chart-line kind-{}" vector-effect="non-scaling-stroke" d="{}"/>'
    body = [
        grid(axis, parts=PARTS),
        stretch(format_html(line, kind, path), width=steps),
        foot(
            FootLabel(text, place, steps, is_minor)
            for place, text, is_minor in (_apart(starts, steps) if starts else choose_labels(labels))
        ),
        _marks(totals, axis, kind, write),
    ]
    return frame(body, kind="running", name="running-total", title=title, description=description)


def _apart(starts: Sequence[tuple[int, str]], steps: int) -> Iterator[tuple[int, str, bool]]:
    """Yield the names that fit (place, text, is it minor): on a phone only those far from the one before."""
    last = last_major = -steps
    for place, text in starts:
        if (place - last) * MOST_NAMES < steps:
            continue
        is_minor = (place - last_major) * MOST_NAMES_ON_A_PHONE < steps
        yield place, text, is_minor
        last, last_major = place, last_major if is_minor else place


def running_total_table(
    labels: Sequence[str], totals: Sequence[int], *, heads: Sequence[Label], write: Write
) -> Table:
    """Return the same figures as a table."""
    return Table(heads, [[label, write(total)] for label, total in zip(labels, totals, strict=True)])


def _marks(totals: Sequence[int], axis: Axis, kind: str, write: Write) -> SafeString:
    last = len(totals) - 1
    highest, lowest = totals.index(max(totals)), totals.index(min(totals))
    ends = {totals[0], totals[last]}
    places = sorted({0, last, *(place for place in (highest, lowest) if totals[place] not in ends)})
    return format_html_join(
        "",
        '<circle class="chart-mark kind-{}" cx="{}" cy="{}" r="4"/>'
        '<text class="chart-label kind-{}" x="{}" y="{}" dx="{}" text-anchor="{}">{}</text>',
        (
            (
                kind,
                percent(place, last),
                y := axis.y(totals[place]),
                kind,
                percent(place, last),
                _label_height(place, y, last, is_under=_is_under(totals, place, lowest)),
                8 if place == last else 0,
                "start" if place in (0, last) else "middle",
                write(totals[place]),
            )
            for place in places
        ),
    )


def _is_under(totals: Sequence[int], place: int, lowest: int) -> bool:
    """Return whether a label goes below the line: of the lowest total, and of a first one from which it rises."""
    return place == lowest or (place == 0 and totals[1] > totals[0])


def _label_height(place: int, y: int, last: int, *, is_under: bool) -> int:
    if place == last:
        return y + 4
    return y + 18 if is_under else y - 10
