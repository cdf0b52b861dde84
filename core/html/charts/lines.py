"""Ratings as step lines by list. A list applies for its month."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from typing import Literal

from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from core.html.charts import (
    BOTTOM,
    TOP,
    Axis,
    End,
    FootLabel,
    axis_for,
    end_labels,
    foot,
    frame,
    grid,
    percent,
    stretch,
)
from core.html.dates import list_month, short_month
from core.html.figures import NONE, signed_points
from core.html.tables import Table

LEAST_SPAN = 50
_MONTHS_WITH_NAMES = 24
# The outlines of marks that are no circles.
SHAPES = {"◇": "M0-5L5 0 0 5-5 0z", "△": "M0-5L5 4-5 4z"}

MarkKind = Literal["", "initial", "correction", "adjustment"]


@dataclass(frozen=True, slots=True)
class Point:
    """The rating on the list of a month (its first day); None where the player was on no list of the kind.

    `address` is the page that explains it, empty without one.
    """

    month: date
    rating: int | None
    mark: MarkKind = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """The ratings of one kind. `kind` is its name in classes (`rapid`, `blitz`, `standard`), `label` what is read.

    `so_far` is the provisional rating of the next list, drawn with dashes.
    """

    kind: str
    label: str | Promise
    points: Sequence[Point]
    so_far: Point | None = None

    def rated_points(self) -> list[Point]:
        """Return the points that have a rating, in the order of their months."""
        return sorted((point for point in self.points if point.rating is not None), key=lambda p: p.month)

    def all_points(self) -> list[Point]:
        """Return the points that have a rating, with the one so far."""
        return [*self.rated_points(), self.so_far] if self.so_far else self.rated_points()


@dataclass(frozen=True, slots=True)
class _Scale:
    """Months along the foot, ratings upwards."""

    first: int
    months: int
    axis: Axis

    def x(self, month: date) -> int:
        return _ordinal(month) - self.first

    def y(self, rating: int | None) -> int:
        return self.axis.y(rating or 0)


def rating_history_svg(
    series: Sequence[Series],
    *,
    title: str | Promise,
    description: str | Promise,
    published: Sequence[date] = (),
) -> SafeString:
    """Return the chart of the series: a step line a kind with its label at its end, months without a rating as gaps.

    `published` are the months of the lists that get a tick (default: those of the points). First ratings and
    corrections are marked. The ratings span at least 50 points, so that a few points never look like a leap.
    An empty text where no series has a rating.
    """
    drawn = [one for one in series if one.rated_points()]
    if not drawn:
        return mark_safe("")
    lists = sorted(set(published) or {point.month for one in drawn for point in one.points})
    scale = _scale(drawn, lists)
    ends = _ends(drawn, scale)
    body = [
        grid(scale.axis),
        _plot(drawn, lists, scale),
        foot(_foot_labels(scale)),
        *(_marks(one, scale) for one in drawn),
        _mark_key(drawn),
        end_labels(ends, whole=scale.months),
        _columns(drawn, lists, scale),
    ]
    return frame(body, kind="history", name="rating-history", title=title, description=description, ends=ends)


def rating_history_table(series: Sequence[Series]) -> Table:
    """Return the same figures as a table, the newest list first."""
    by_kind = [{point.month: point.rating for point in one.points} for one in series]
    months = sorted(set(chain.from_iterable(by_kind)), reverse=True)
    rows = [[list_month(month), *(_cell(ratings.get(month)) for ratings in by_kind)] for month in months]
    ahead = [{one.so_far.month: one.so_far.rating} if one.so_far else {} for one in series]
    coming = [[_so_far_month(month), *(_cell(of.get(month)) for of in ahead)] for month in _coming(series)]
    return Table([_("List"), *(one.label for one in series)], [*coming, *rows])


def _coming(series: Sequence[Series]) -> list[date]:
    """Return the months of the figures so far, the last first."""
    return sorted({one.so_far.month for one in series if one.so_far}, reverse=True)


def _so_far_month(month: date) -> str:
    return _("%(month)s, so far") % {"month": list_month(month)}


def _scale(series: Sequence[Series], lists: Sequence[date]) -> _Scale:
    points = [point for one in series for point in one.all_points()]
    months = [_ordinal(month) for month in (*lists, *(point.month for point in points))]
    ratings = [point.rating for point in points if point.rating is not None]
    axis = axis_for(ratings, least_span=LEAST_SPAN)
    return _Scale(min(months), max(months) - min(months) + 1, axis)


def _plot(series: Sequence[Series], lists: Sequence[date], scale: _Scale) -> SafeString:
    """Return ticks and lines in a plot one unit a month wide, stretched to the figure."""
    ticks = "".join(f"M{scale.x(month)} {BOTTOM}v{8 if month.month == 1 else 4}" for month in lists)
    lines = format_html_join(
        "",
        '<path class="chart-line kind-{}" data-label="{}" vector-effect="non-scaling-stroke" d="{}"/>',
        ((one.kind, one.label, _steps(one, scale)) for one in series),
    )
    dashed = format_html_join(
        "",
        '<path class="chart-so-far kind-{}" vector-effect="non-scaling-stroke" d="{}"/>',
        ((one.kind, _step_so_far(one, scale)) for one in series if one.so_far),
    )
    path = '<path class="chart-ticks" vector-effect="non-scaling-stroke" d="{}"/>{}{}'
    return stretch(format_html(path, ticks, lines, dashed), width=scale.months)


def _step_so_far(series: Series, scale: _Scale) -> str:
    """Return the path from the last list to the next one as it is so far."""
    (*_before, last, coming) = series.all_points()
    x, y = scale.x(coming.month), scale.y(coming.rating)
    return f"M{scale.x(last.month) + 1} {scale.y(last.rating)}H{x}V{y}H{x + 1}"


def _steps(series: Series, scale: _Scale) -> str:
    """Return the path: across for the month, up or down to the next one, lifted where a month has no rating."""
    path, reached = "", -1
    for point in series.rated_points():
        x, y = scale.x(point.month), scale.y(point.rating)
        path += f"V{y}H{x + 1}" if x == reached else f"M{x} {y}H{x + 1}"
        reached = x + 1
    return path


def _columns(series: Sequence[Series], lists: Sequence[date], scale: _Scale) -> SafeString:
    """Return an unseen column for each list with its values, in the order of the lines, for `chart.js`.

    A value is the rating, its change since the list before and its height, apart by spaces; values by commas.
    """
    texts = [_column_texts(one, scale) for one in series]
    addresses = {point.month: point.address for one in series for point in one.all_points() if point.address}
    names = {month: list_month(month) for month in lists}
    names |= {month: _so_far_month(month) for month in _coming(series)}
    column = (
        '<rect class="chart-column" x="{}" width="{}" y="{}" height="{}" data-month="{}" data-values="{}"'
        ' data-address="{}"/>'
    )
    width = percent(1, scale.months)
    rows = (
        (
            *(percent(scale.x(month), scale.months), width, TOP, BOTTOM - TOP, name),
            ",".join(of_line.get(month, "") for of_line in texts),
            addresses.get(month, ""),
        )
        for month, name in sorted(names.items())
    )
    return format_html_join("", column, rows)


def _column_texts(series: Series, scale: _Scale) -> dict[date, str]:
    texts: dict[date, str] = {}
    before = None
    points = [*series.points, series.so_far] if series.so_far else series.points
    for point in sorted(points, key=lambda point: point.month):
        if point.rating is not None:
            change = "" if before is None else signed_points(point.rating - before)
            texts[point.month] = f"{point.rating} {change} {scale.y(point.rating)}"
        before = point.rating
    return texts


def _marks(series: Series, scale: _Scale) -> SafeString:
    marked = [point for point in series.rated_points() if point.mark]
    return format_html_join("", "{}", ((_mark(series, point, scale),) for point in marked))


def _mark(series: Series, point: Point, scale: _Scale) -> SafeString:
    sign, word = _mark_words()[point.mark]
    named = {"series": series.label, "month": list_month(point.month), "mark": word, "rating": point.rating}
    text = _("%(series)s, %(month)s: %(mark)s, %(rating)s") % named
    x, y = percent(scale.x(point.month), scale.months), scale.y(point.rating)
    if sign == "○":
        outline = '<circle class="chart-mark kind-{}" cx="{}" cy="{}" r="4"><title>{}</title></circle>'
        return format_html(outline, series.kind, x, y, text)
    outline = (
        '<svg x="{}" y="{}" overflow="visible"><path class="chart-mark kind-{}" d="{}">'
        "<title>{}</title></path></svg>"
    )
    return format_html(outline, x, y, series.kind, SHAPES[sign], text)


def _mark_words() -> dict[str, tuple[str, str]]:
    return {
        "initial": ("○", _("initial rating")),
        "correction": ("◇", _("correction")),
        "adjustment": ("△", _("adjustment of the whole list")),
    }


def _mark_key(series: Sequence[Series]) -> SafeString:
    """Return the meaning of the marks in this chart."""
    seen = {point.mark for one in series for point in one.rated_points()}
    words = [f"{sign} {word}" for mark, (sign, word) in _mark_words().items() if mark in seen]
    if not words:
        return mark_safe("")
    return format_html('<text class="chart-key" x="0" y="8">{}</text>', "\u2003".join(words))


def _ends(series: Sequence[Series], scale: _Scale) -> list[End]:
    """Return each line's end, with the one of the next list so far beside the dashed step."""
    coming = _coming(series)
    right = scale.x(coming[0]) + 1 if coming else 0
    return [_end(one, scale, right) for one in series]


def _end(series: Series, scale: _Scale, right: int) -> End:
    last, ahead = series.rated_points()[-1], series.so_far
    part = scale.x((ahead or last).month) + 1
    # A line of the newest list has its label beside the dashed step of another, not on it.
    part = right if part + 1 == right else part
    end = End(f"{series.label} {last.rating}", series.kind, part, scale.y(last.rating))
    if not ahead:
        return end
    return end._replace(ahead=_("So far") + f" {ahead.rating}", ahead_y=scale.y(ahead.rating))


def _foot_labels(scale: _Scale) -> list[FootLabel]:
    ordinals = range(scale.first, scale.first + scale.months)
    months = [date(ordinal // 12, ordinal % 12 + 1, 1) for ordinal in ordinals]
    named = scale.months <= _MONTHS_WITH_NAMES
    if named:
        shown = months[:: next(step for step in (1, 3, 6) if len(months) <= 8 * step)]
    else:
        shown = _round_years([month for month in months if month.month == 1])
    # A narrow screen has room for three names of months, and for every other year.
    kept = -(-len(shown) // 3) if named else 2
    # A month is in the middle of its list, a year at its January.
    width, place = 2 * scale.months, "middle" if named else "start"
    return [
        FootLabel(
            short_month(month) if named else str(month.year),
            2 * scale.x(month) + named,
            width,
            order % kept != 0,
            place,
        )
        for order, month in enumerate(shown)
    ]


def _round_years(januaries: list[date]) -> list[date]:
    """Return the years that have a label: all, or the round ones of a long time."""
    step = next(step for step in (1, 2, 5, 10, 20, 50) if len(januaries) <= 8 * step)
    return [month for month in januaries if month.year % step == 0]


def _cell(rating: int | None) -> str:
    return NONE if rating is None else str(rating)


def _ordinal(month: date) -> int:
    return month.year * 12 + month.month - 1
