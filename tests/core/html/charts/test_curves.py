"""Lines over bands."""

from __future__ import annotations

import re

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


def test_names_of_lines_that_rise_stand_in_the_free_corner_of_a_phone() -> None:
    rising, falling = Curve("first", "A", [0, 900]), Curve("second", "B", [900, 0])
    for curves, places in ([rising], ["0.00%"]), ([rising, falling], ["100.00%", "100.00%"]):
        svg = curve_chart_svg(["a", "b"], curves, title="T", description="D", name="n", write=percent_tenths)
        assert re.findall(r'narrow kind-\w+" x="([^"]+)"', svg) == places
