"""The days of a month with its events and deadlines.

Places are shares of the width and heights are pixels, as in every chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.html.charts import frame, percent

Text = str | Promise

# A month: the figures of the days, lanes of events, and a row for each deadline.
DAYS_FOOT = 26
LANE = 27
EVENT_HEIGHT = 22
MOST_LANES = 8
MARK_ROW = 18
LABEL_LENGTH = 24
# How many letters of a label fit on a day where the month is narrowest.
LETTERS_A_DAY = 4


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Something that lasts from one day to another; `kind` is the class that colours it."""

    label: str
    first: date
    last: date
    kind: str


@dataclass(frozen=True, slots=True)
class DayMark:
    """A day that matters, with its label."""

    label: Text
    day: date
    is_near: bool = False


def month_svg(
    days: tuple[date, date],
    events: Sequence[DaySpan],
    marks: Sequence[DayMark],
    *,
    today: date,
    title: Text,
    description: Text,
) -> SafeString:
    """Return the days from the first to the last with events in lanes and marked days below; today as a line."""
    first, last = days
    count = (last - first).days + 1
    within = [event for event in events if event.last >= first and event.first <= last]
    lanes = _lanes(within, first, count)
    floor = DAYS_FOOT + 8 + LANE * max([1, *(lane + 1 for lane, _event in lanes)])
    height = floor + MARK_ROW * len(marks) + 8
    body = [
        _month_days(first, count, today, height),
        format_html('<line class="chart-axis" x1="0" x2="100%" y1="{y}" y2="{y}"/>', y=floor),
    ]
    # Behind the names of events, and not as far down as the labels of marked days, which it would cross.
    if first <= today <= last:
        x = percent(2 * (today - first).days + 1, 2 * count)
        body.append(format_html('<line class="today" x1="{x}" x2="{x}" y1="22" y2="{y}"/>', x=x, y=floor))
    body += [_mark(mark, row, floor, first, count) for row, mark in enumerate(marks)]
    body += [_event(event, lane, first, count) for lane, event in lanes]
    return frame(
        body, kind="month-days", name="month-days", title=title, description=description, height=height
    )


def _lanes(events: Iterable[DaySpan], first: date, count: int) -> list[tuple[int, DaySpan]]:
    """Return each event with the first lane in which it and its label have room; what fits in none is left out."""
    taken: list[list[tuple[int, int]]] = [[] for _lane in range(MOST_LANES)]
    placed = []
    for event in sorted(events, key=lambda one: (one.first, one.last, one.label)):
        begin, end = _room(event, first, count)
        for lane, others in enumerate(taken):
            if all(end <= left or right <= begin for left, right in others):
                others.append((begin, end))
                placed.append((lane, event))
                break
    return placed


def _room(event: DaySpan, first: date, count: int) -> tuple[int, int]:
    """Return the days that an event takes with its label, which stands before it where there is no room after it."""
    begin, end = max(0, (event.first - first).days), min(count, (event.last - first).days + 1)
    width = min(len(event.label), LABEL_LENGTH) // LETTERS_A_DAY + 1
    return (begin - width, end) if end + width > count else (begin, end + width)


def _month_days(first: date, count: int, today: date, height: int) -> SafeString:
    """Return the figures of the days, weekends shaded, a line before each day."""
    days = [first + timedelta(days=place) for place in range(count)]
    weekends = format_html_join(
        "",
        '<rect class="weekend" x="{}" y="{}" width="{}" height="{}"/>',
        (
            (percent(place, count), DAYS_FOOT, percent(1, count), height - DAYS_FOOT)
            for place, day in enumerate(days)
            if day.weekday() > 4
        ),
    )
    figures = format_html_join(
        "",
        '<line class="chart-grid" x1="{x}" x2="{x}" y1="{top}" y2="{foot}"/>'
        '<text class="day{now}" x="{middle}" y="17" text-anchor="middle">{figure}</text>',
        (
            {
                "x": percent(place, count),
                "top": DAYS_FOOT,
                "foot": height,
                "now": " now" if day == today else "",
                "middle": percent(2 * place + 1, 2 * count),
                "figure": day.day,
            }
            for place, day in enumerate(days)
        ),
    )
    return weekends + figures


def _event(event: DaySpan, lane: int, first: date, count: int) -> SafeString:
    begin, end = max(0, (event.first - first).days), min(count, (event.last - first).days + 1)
    y = DAYS_FOOT + 8 + LANE * lane
    is_before = _room(event, first, count)[0] < begin
    label = (
        event.label if len(event.label) <= LABEL_LENGTH else f"{event.label[: LABEL_LENGTH - 1].rstrip()}…"
    )
    return format_html(
        '<rect class="event {}" x="{}" y="{}" width="{}" height="{}" rx="4"><title>{}</title></rect>'
        '<text class="event-name" x="{}" dx="{}" y="{}" text-anchor="{}">{}</text>',
        event.kind,
        percent(begin, count),
        y,
        percent(end - begin, count),
        EVENT_HEIGHT,
        event.label,
        percent(begin if is_before else end, count),
        -5 if is_before else 5,
        y + 15,
        "end" if is_before else "start",
        label,
    )


def _mark(mark: DayMark, row: int, floor: int, first: date, count: int) -> SafeString:
    """Return a marked day: a line down to a dot, and the label before it."""
    x = percent(2 * (mark.day - first).days + 1, 2 * count)
    y = floor + MARK_ROW * (row + 1) - 4
    return format_html(
        '<line class="mark{}" x1="{x}" x2="{x}" y1="{}" y2="{y}"/><circle class="mark{}" cx="{x}" cy="{y}" r="4"/>'
        '<text class="mark-name" x="{x}" dx="-10" y="{}" text-anchor="end">{}</text>',
        " near" if mark.is_near else "",
        DAYS_FOOT,
        " near" if mark.is_near else "",
        y + 4,
        mark.label,
        x=x,
        y=y,
    )
