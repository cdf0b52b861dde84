"""Lines over bands."""

from __future__ import annotations

from core.html.charts.curves import LEAST_RADIUS, MOST_RADIUS, RADIUS, Curve, curve_chart_svg
from core.html.figures import percent_tenths


def test_a_chart_without_values_is_empty() -> None:
    curves = [Curve("first", "A", [None])]
    assert curve_chart_svg(["a"], curves, title="T", description="D", name="n", write=percent_tenths) == ""


def test_a_larger_circle_marks_a_value_that_counts_more() -> None:
    curve = Curve("first", "A", [1, 2, 3], weights=[0, 25, 100])
    radii = [curve.radius(place) for place in range(3)]
    assert radii == sorted(radii)
    assert (radii[0], radii[-1]) == (LEAST_RADIUS, MOST_RADIUS)
    assert Curve("first", "A", [1]).radius(0) == RADIUS
