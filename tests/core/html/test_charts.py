from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.html.charts import BOTTOM, TOP, axis_for, axis_from_zero, nice_step, percent, spread
from core.html.charts.bars import Bar, band_svg, bar_chart_svg, bar_chart_table
from core.html.charts.lines import Point, Series, rating_history_svg, rating_history_table
from core.html.charts.running import running_total_svg

NASTY = "A & B <script>alert('x')</script> \"quoted\""


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<figure>{svg}</figure>")[0]  # noqa: S314 - made by ourselves


def month(number: int) -> date:
    return date(2020 + number // 12, number % 12 + 1, 1)


def rapid(ratings: Sequence[int | None]) -> Series:
    return Series("rapid", "Rapid", [Point(month(place), rating) for place, rating in enumerate(ratings)])


def history(*series: Series, published: Sequence[date] = ()) -> str:
    return rating_history_svg(series, title="Title", description="Description", published=published)


def line_of(svg: str) -> str:
    found = re.search(r'class="chart-line kind-rapid"[^>]* d="([^"]*)"', svg)
    assert found
    return found[1]


def test_history_is_a_step_line_across_each_month() -> None:
    path = line_of(history(rapid([1800, 1900, 1900])))
    assert re.fullmatch(r"M0 (\d+)H1V(\d+)H2V\2H3", path)


def test_history_leaves_a_gap_where_a_month_has_no_rating_or_no_list() -> None:
    without = Series("rapid", "Rapid", [Point(month(0), 1800), Point(month(2), 1800)])
    for one in (rapid([1800, None, 1800]), without):
        assert re.fullmatch(r"M0 (\d+)H1M2 \1H3", line_of(history(one)))


def test_next_list_so_far_is_a_dashed_step_with_its_words() -> None:
    one = Series("rapid", "Rapid", [Point(month(0), 1800)], so_far=Point(month(1), 1788, address="/so-far/"))
    svg = history(one)
    assert re.fullmatch(r"M0 \d+H1", line_of(svg))
    dashed = re.search(r'class="chart-so-far kind-rapid"[^>]* d="([^"]*)"', svg)
    assert dashed
    assert re.fullmatch(r"M1 \d+H1V\d+H2", dashed[1])
    assert 'data-month="February 2020, so far" data-values="1788 \u221212 ' in svg
    assert ">So far 1788</text>" in svg
    assert rating_history_table([one]).rows == [["February 2020, so far", "1788"], ["January 2020", "1800"]]


def test_history_has_a_tick_for_each_published_list() -> None:
    svg = history(rapid([1800]), published=[month(place) for place in range(14)])
    ticks = re.search(r'class="chart-ticks"[^>]* d="([^"]*)"', svg)
    assert ticks
    assert len(re.findall(r"M\d+ 236v[48]", ticks[1])) == 14
    assert len(re.findall(r"v8", ticks[1])) == 2


def test_history_marks_first_rating_and_correction() -> None:
    one = Series("rapid", "Rapid", [Point(month(0), 1922, "initial"), Point(month(1), 1930, "correction")])
    svg = history(one)
    assert re.findall(r"<title>(Rapid, [^<]*)</title>", svg) == [
        "Rapid, January 2020: initial rating, 1922",
        "Rapid, February 2020: correction, 1930",
    ]
    assert "○ initial rating ◇ correction" in svg


def test_history_explains_only_the_marks_that_occur() -> None:
    assert "chart-key" not in history(rapid([1800]))


def test_history_labels_each_line_at_its_end() -> None:
    svg = history(rapid([1800, 1850]), Series("blitz", "Blitz", [Point(month(0), 1795)]))
    found = re.findall(r'chart-label kind-(\w+)" x="([^"]*)"[^>]*>([^<]*)<', svg)
    assert found == [("rapid", "100.00%", "Rapid 1850"), ("blitz", "50.00%", "Blitz 1795")]
    # A narrow screen has no room for labels among the lines.
    assert re.findall(r'<span class="kind-(\w+)">([^<]*)<', svg) == [(kind, text) for kind, _x, text in found]


def test_history_without_a_rating_is_empty() -> None:
    assert history(rapid([None, None])) == ""
    assert history() == ""


def test_history_of_one_day_fills_the_figure() -> None:
    svg = history(rapid([1922]))
    assert line_of(svg).endswith("H1")
    assert parsed(svg).tag == "svg"


@pytest.mark.parametrize("months", range(3, 9))
def test_history_names_months_apart_on_a_narrow_screen(months: int) -> None:
    svg = history(rapid([1900] * months))

    places = [float(place) for place in re.findall(r'<text x="([\d.]+)%"[^>]*>\w+ 2020', svg)]
    assert len(places) >= 2
    # A name takes 60 of about 220 pixels.
    assert min(right - left for left, right in pairwise(places)) >= 28


@pytest.mark.parametrize(("points", "least", "most"), [(4, 0, 0.1), (40, 0.5, 1)])
def test_history_makes_no_leap_of_a_few_points(points: int, least: float, most: float) -> None:
    first, last = (int(y) for y in re.findall(r"[V ](\d+)H", line_of(history(rapid([2000, 2000 + points])))))
    assert least < (first - last) / (BOTTOM - TOP) < most


def test_history_has_title_and_description() -> None:
    root = parsed(history(rapid([1800])))
    assert root.get("role") == "img"
    assert str(root.get("aria-labelledby")).split() == ["rating-history-title", "rating-history-desc"]
    assert [(child.tag, child.get("id"), child.text) for child in root[:2]] == [
        ("title", "rating-history-title", "Title"),
        ("desc", "rating-history-desc", "Description"),
    ]


def test_history_escapes_names_and_needs_no_inline_style() -> None:
    one = Series("rapid", NASTY, [Point(month(0), 1800, "initial"), Point(month(1), 1700, "correction")])
    svg = rating_history_svg([one], title=NASTY, description=NASTY)
    assert [child.text for child in parsed(svg)[:2]] == [NASTY, NASTY]
    assert "<script" not in svg
    assert re.findall(r"<[^>]*\b(?:style|on\w+)=", svg) == []


@given(
    st.lists(st.lists(st.none() | st.integers(100, 3000), min_size=1, max_size=80), min_size=1, max_size=3),
)
def test_history_is_well_formed_and_the_same_in_whatever_order_points_come(
    ratings: list[list[int | None]],
) -> None:
    series = [Series(f"kind{place}", "Kind", rapid(one).points) for place, one in enumerate(ratings)]
    turned = [Series(one.kind, one.label, one.points[::-1]) for one in series]
    svg = history(*series)
    assert history(*turned) == svg
    assert (parsed(svg).tag if svg else "") == ("svg" if any(one.rated_points() for one in series) else "")


def test_history_table_holds_the_same_figures_newest_first() -> None:
    table = rating_history_table([rapid([1800, None]), Series("blitz", "Blitz", [Point(month(1), 1700)])])
    assert list(table.heads) == ["List", "Rapid", "Blitz"]
    assert list(table.rows) == [["February 2020", "–", "1700"], ["January 2020", "1800", "–"]]


def test_bars_start_at_zero() -> None:
    svg = bar_chart_svg([Bar("1400", 50), Bar("1450", 100)], title="Title", description="Description")
    heights = [int(height) for height in re.findall(r'<rect[^>]* height="(\d+)"', svg)]
    assert heights == [106, 212]
    assert re.findall(r'class="chart-value[^>]*>([^<]*)<', svg) == ["50", "100"]


def test_bars_escape_labels() -> None:
    svg = bar_chart_svg([Bar(NASTY, 1)], title=NASTY, description=NASTY)
    assert [child.text for child in parsed(svg)[:2]] == [NASTY, NASTY]
    assert "<script" not in svg


def test_bars_label_at_most_eight_places() -> None:
    svg = bar_chart_svg([Bar(str(place), place) for place in range(29)], title="T", description="D")
    assert len(re.findall(r'y="262"', svg)) == 8


def test_bars_of_nothing() -> None:
    assert bar_chart_svg([], title="Title", description="Description") == ""
    svg = bar_chart_svg([Bar("a", 0)], title="Title", description="Description")
    assert re.findall(r'<rect[^>]* height="(\d+)"', svg) == ["0"]


def test_bar_table_holds_the_same_figures() -> None:
    table = bar_chart_table([Bar("1400", 12_345)], heads=("Rating", "Players"))
    assert list(table.rows) == [["1400", "12,345"]]


@given(st.lists(st.integers(100, 3500), min_size=1, max_size=50))
def test_axis_holds_its_values_between_whole_steps(values: list[int]) -> None:
    axis = axis_for(values, least_span=200)
    assert axis.low < min(values)
    assert max(values) <= axis.high
    assert axis.high - axis.low >= 200
    assert (axis.low % axis.step, axis.high % axis.step) == (0, 0)
    assert (axis.y(axis.low), axis.y(axis.high)) == (BOTTOM, TOP)
    assert list(axis.lines())[-1] == axis.high


def test_axis_from_zero_starts_at_zero() -> None:
    axis = axis_from_zero([7, 93])
    assert (axis.low, axis.high, axis.step) == (0, 100, 20)


@pytest.mark.parametrize(("span", "step"), [(1, 1), (5, 1), (6, 2), (200, 50), (251, 100), (1000, 200)])
def test_nice_step_is_one_two_or_five(span: int, step: int) -> None:
    assert nice_step(span) == step


@pytest.mark.parametrize(
    ("part", "whole", "text"), [(0, 7, "0.00%"), (1, 3, "33.33%"), (2, 3, "66.67%"), (7, 7, "100.00%")]
)
def test_percent_has_two_decimals(part: int, whole: int, text: str) -> None:
    assert percent(part, whole) == text


@given(st.lists(st.integers(0, 200), min_size=1, max_size=5))
def test_spread_keeps_labels_apart(wanted: list[int]) -> None:
    places = spread(wanted, gap=18, low=0, high=200)
    ordered = sorted(places)
    assert all(second - first >= 18 for first, second in pairwise(ordered))
    assert ordered[0] >= 0
    assert ordered[-1] <= 200


def test_spread_leaves_alone_what_is_apart_already() -> None:
    assert spread([100, 10, 60], gap=18, low=0, high=200) == [100, 10, 60]


def test_running_total_is_labelled_at_its_ends_and_extremes() -> None:
    drawn = running_total_svg(
        ["Start", "1", "2", "3"],
        [210000, 211000, 208000, 209000],
        kind="rapid",
        title="t",
        description="d",
        write=str,
    )
    path = drawn.partition('vector-effect="non-scaling-stroke" d="')[2].partition('"')[0]
    assert [part[0] for part in re.findall(r"[MHV][\d. ]+", path)] == list("MHVHVHV")
    assert re.findall(r">(\d+)</text>", drawn.partition("chart-mark")[2]) == [
        "210000",
        "211000",
        "208000",
        "209000",
    ]


@pytest.mark.parametrize(
    ("starts", "shown"),
    [
        ([(0, "3 Oct"), (10, "17 Oct")], [("", "3 Oct"), ("", "17 Oct")]),
        ([(0, "3 Oct"), (3, "10 Oct"), (10, "17 Oct")], [("", "3 Oct"), ("minor", "10 Oct"), ("", "17 Oct")]),
        ([(0, "3 Oct"), (1, "4 Oct"), (10, "17 Oct")], [("", "3 Oct"), ("", "17 Oct")]),
    ],
)
def test_running_total_of_several_parts_is_labelled_where_they_begin(
    starts: list[tuple[int, str]], shown: list[tuple[str, str]]
) -> None:
    totals = [210000 + 100 * step for step in range(21)]
    drawn = running_total_svg(
        [""] * 21, totals, kind="rapid", title="t", description="d", write=str, starts=starts
    )
    assert (
        re.findall(r'<text(?: class="(minor)")? x="[^"]*" y="[^"]*" text-anchor="[^"]*">(\d+ Oct)<', drawn)
        == shown
    )


def test_running_total_of_one_step_is_no_chart() -> None:
    assert (
        running_total_svg(["Start", "1"], [1, 2], kind="rapid", title="t", description="d", write=str) == ""
    )


@pytest.mark.parametrize(
    ("band", "shown"),
    [((0, 1_440), (16.2, 15.4)), ((288, 367), (19, 5)), ((10, 20), (2, 2)), (None, (19, 5))],
)
def test_figures_stand_between_their_bounds_or_just_out_of_them(
    band: tuple[int, int] | None, shown: tuple[float, float]
) -> None:
    (points,) = re.findall(r'<polyline points="([^"]+)"', band_svg([288, 300, 367], band))

    heights = [float(point.split(",")[1]) for point in points.split()]
    assert (heights[0], heights[-1]) == shown
