"""Bars up and down from zero."""

from __future__ import annotations

import re

from core.html.charts import BOTTOM, TOP
from core.html.charts.curves import LEAST_RADIUS, MOST_RADIUS, RADIUS, Curve
from core.html.charts.deviations import Deviation, deviation_chart_svg

RECT = re.compile(r'class="chart-deviation (is-\w+)"[^>]* y="(\d+)"[^>]* height="(\d+)"')


def svg(*bars: Deviation) -> str:
    return str(deviation_chart_svg(bars, title="T", description="D", name="n", reference="R"))


def test_zero_is_in_the_middle_and_bars_begin_there() -> None:
    drawn = svg(Deviation("a", 40), Deviation("b", -20), Deviation("c", None))
    zero = (TOP + BOTTOM) // 2
    (up, top, height), (down, from_zero, depth) = RECT.findall(drawn)
    assert (up, int(top) + int(height)) == ("is-up", zero)
    assert (down, int(from_zero)) == ("is-down", zero)
    assert int(height) == 2 * int(depth)
    assert "+4.0" in drawn
    assert "−2.0" in drawn


def test_a_chart_without_values_is_empty() -> None:
    assert svg(Deviation("a", None)) == svg() == ""


def test_bars_of_reference_share_a_mark_behind_them() -> None:
    drawn = svg(Deviation("a", 10), Deviation("b", 10, True), Deviation("c", 10, True), Deviation("d", 10))
    (mark,) = re.findall(r'class="chart-reference" x="([\d.]+)%"[^>]*width="([\d.]+)%"', drawn)
    assert mark == ("25.00", "50.00")
    assert "chart-reference" not in svg(Deviation("a", 10))


def test_a_larger_circle_marks_a_value_that_counts_more() -> None:
    curve = Curve("first", "A", [1, 2, 3], weights=[0, 25, 100])
    radii = [curve.radius(place) for place in range(3)]
    assert radii == sorted(radii)
    assert (radii[0], radii[-1]) == (LEAST_RADIUS, MOST_RADIUS)
    assert Curve("first", "A", [1]).radius(0) == RADIUS
