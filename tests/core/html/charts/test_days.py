"""Charts of days: a month with events in lanes and deadlines, and a ruler that leaves long stretches out."""

from __future__ import annotations

import re
from datetime import date

import pytest

from core.html.charts.days import MOST_LANES, DayMark, DaySpan, month_svg
from core.html.charts.ruler import Zone, ruler_svg

NOVEMBER = (date(2026, 11, 1), date(2026, 12, 1))


def month(*events: DaySpan, today: date = date(2026, 11, 22)) -> str:
    marks = [DayMark("Tournaments end", date(2026, 11, 28), is_near=True)]
    return month_svg(NOVEMBER, events, marks, today=today, title="November", description="Deadlines")


def event(name: str, first: int, last: int, kind: str = "planned") -> DaySpan:
    return DaySpan(name, date(2026, 11, first), date(2026, 11, last), kind)


def tops(svg: str) -> list[int]:
    return [int(y) for y in re.findall(r'class="event [^>]* y="(\d+)"', svg)]


def test_a_month_shades_weekends_and_marks_today() -> None:
    svg = month()

    assert svg.count('class="weekend"') == 9
    assert re.findall(r'class="day now"[^>]*>(\d+)<', svg) == ["22"]
    assert svg.count('class="today"') == 1


def test_no_line_crosses_the_name_of_an_event() -> None:
    svg = month(event("Forge Rapid", 24, 26))

    assert svg.index('class="today"') < svg.index('class="mark near"') < svg.index('class="event-name"')


def test_today_outside_the_month_has_no_line() -> None:
    assert 'class="today"' not in month(today=date(2026, 10, 22))


def test_events_that_overlap_with_their_labels_take_lanes_of_their_own() -> None:
    svg = month(event("Red Rocks", 2, 3), event("Lakeside", 3, 4), event("Forge", 20, 20))

    assert tops(svg) == [34, 61, 34]


def test_a_label_without_room_after_its_event_stands_before_it() -> None:
    svg = month(event("Saint Barbara Blitz", 29, 30))

    assert re.findall(r'class="event-name"[^>]*text-anchor="(\w+)"', svg) == ["end"]


def test_more_events_than_lanes_are_left_out() -> None:
    svg = month(*(event(f"Event {number}", 5, 9) for number in range(MOST_LANES + 3)))

    assert svg.count('class="event planned"') == MOST_LANES


def test_an_event_that_began_before_the_month_begins_with_it() -> None:
    svg = month(DaySpan("Long", date(2026, 10, 25), date(2026, 11, 2), "rated"))

    assert 'class="event rated" x="0.00%"' in svg


def test_names_are_escaped() -> None:
    assert "<b>" not in month(event("<b>Open</b>", 2, 3))


ZONES = [
    Zone("Registered immediately", date(2026, 11, 22), date(2026, 12, 25), "open"),
    Zone("The QC decides", date(2026, 12, 26), date(2026, 12, 28), "qc"),
    Zone("List", date(2027, 1, 1), date(2027, 1, 1), "play", track=1),
]


def test_a_ruler_shows_ends_and_short_stretches_and_leaves_the_others_out() -> None:
    svg = ruler_svg(ZONES, [DayMark("Today", date(2026, 11, 22))], title="Days", description="What follows")

    days = re.findall(r'class="day" x="[^"]*" y="\d+" text-anchor="middle">([^<]*)<', svg)
    assert days == ["22 Nov", "25 Dec", "Sat 26", "Sun 27", "Mon 28", "1 Jan", "…", "…"]


def test_a_zone_is_as_wide_as_its_days() -> None:
    svg = ruler_svg(ZONES, [], title="Days", description="What follows")

    # Six days of two units, and two gaps of one.
    assert re.findall(r'<svg x="([^"]*)" y="\d+" width="([^"]*)"', svg) == [
        ("0.00%", "35.71%"),
        ("35.71%", "42.86%"),
        ("85.71%", "14.29%"),
    ]


def test_a_ruler_of_many_days_breaks_labels_and_leaves_weekdays_out() -> None:
    later = Zone("Played", date(2027, 1, 20), date(2027, 3, 20), "play", track=1)
    svg = ruler_svg([*ZONES, later], [], title="Days", description="What follows")

    assert re.findall(r"<tspan[^>]*>([^<]*)<", svg)[:3] == ["Registered", "immediately", "The QC decides"]
    assert ("Sat 26" in svg, ">26<" in svg) == (False, True)


@pytest.mark.parametrize("zones", [[]])
def test_a_ruler_without_zones_is_empty(zones: list[Zone]) -> None:
    assert ruler_svg(zones, [], title="Days", description="") == ""


def test_the_line_of_today_ends_above_the_labels_of_marked_days() -> None:
    svg = month()

    (foot,) = map(int, re.findall(r'class="today"[^>]* y2="(\d+)"', svg))
    (label,) = map(int, re.findall(r'class="mark-name"[^>]* y="(\d+)"', svg))
    # A letter is less than 16 pixels high.
    assert foot < label - 12
