"""The figures of lists and what stopped one, as pages, mails and commands read them (D-134)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal
from core.html.charts.bars import band_svg
from ratings.models import Explanation, Judgement, RatingList
from ratings.systems.judgement import LISTS, Judged, ListFigures, Seen, Source, Stop, Unit, Value, judge

LABELS: dict[str, Any] = {
    "newcomers": _l("New players"),
    "leavers": _l("Players who left the list"),
    "players-moved": _l("Players with a rating change"),
    "games": _l("Rated games"),
    "corrections": _l("Players with a correction"),
    "repeated-results": _l("Players with the same result in two tournaments"),
    "mean-change": _l("Mean rating change of those who played"),
    "size-of-change": _l("Mean size of the rating change"),
    "games-per-player": _l("Games for each player who played"),
    "first-rating": _l("Mean initial rating"),
    "k-40": _l("Players with K 40"),
    "k-20": _l("Players with K 20"),
    "k-10": _l("Players with K 10"),
    "k-as-listed": _l("Results rated with the K-factor of the previous list"),
    "first-100-new": _l("Players new among the first 100"),
    "first-100-change": _l("Points changed among the first 100"),
    "move-over-400": _l("Rating changes of more than 400 points"),
    "federation-newcomers": _l("New players"),
    "federation-mean-change": _l("Mean rating change of those who played"),
    "federation-size-of-change": _l("Mean size of the rating change"),
    "federation-games-per-player": _l("Games for each player who played"),
}


def figure_label(code: str) -> str:
    """Return the name of a figure, with the federation that it is of."""
    figure, _colon, federation = code.partition(":")
    label = str(LABELS.get(figure, figure))
    return f"{federation}, {label}" if federation else label


def shown_value(value: int, unit: Unit) -> str:
    """Return the value of a figure as people read it: `1,234`, `12.3%`, `−0.52`."""
    if unit is Unit.NUMBER:
        return number_format(value, force_grouping=True).replace("-", "−")
    if unit is Unit.SHARE:
        return number_format(value / 10, 1) + "%"
    return number_format(value / 100, 2).replace("-", "−")


def shown_bounds(stop: Stop) -> str:
    """Return what is usual and allowed: `usually 12, allowed 0 to 60`."""
    if stop.usual is None:
        return _("at most %(high)s allowed") % {"high": shown_value(stop.high or 0, stop.unit)}
    names = {
        "usual": shown_value(stop.usual, stop.unit),
        "low": shown_value(stop.low or 0, stop.unit),
        "high": shown_value(stop.high or 0, stop.unit),
    }
    return _("usually %(usual)s, allowed %(low)s to %(high)s") % names


def load_before(kind: str, list_date: date) -> list[ListFigures]:
    """Return the figures of the last lists of a kind before a date, the newest first."""
    rows = Judgement.objects.filter(kind=kind, date__lt=list_date, rating_list__isnull=False)
    return [row.figures for row in rows.order_by("-date")[:LISTS]]


@dataclass(frozen=True, slots=True)
class JudgedList:
    """What a list was judged by: the figures of the lists before, what was out of bounds, and the explanations."""

    before: Sequence[ListFigures]
    stops: Sequence[Stop]
    explanations: Mapping[tuple[str, Seen], Explanation]


def judgement_of(rating_list: RatingList) -> tuple[JudgedList | None, ListFigures]:
    """Return what a list was judged by, None where its figures are not stored yet, and its figures."""
    kept = Judgement.objects.filter(
        kind=rating_list.kind, date__lte=rating_list.date, rating_list__isnull=False
    )
    rows = list(kept.order_by("-date")[: LISTS + 1])
    if not rows or rows[0].rating_list_id != rating_list.pk:
        return None, ListFigures()
    row, before = rows[0], rows[1:]
    explanations = read_explanations(rating_list.date) if row.stops else {}
    return JudgedList([one.figures for one in before], row.stops, explanations), row.figures


def judged_as(rating_list: RatingList) -> str:
    """Return whether a list was within bounds or explained before it was published; empty where nothing is stored."""
    found = Judgement.objects.filter(rating_list=rating_list).values_list("stops", flat=True).first()
    return "" if found is None else "explained" if found else "within"


def stopped_lists() -> QuerySet[Judgement]:
    """Return the candidates that were stopped and are not published yet."""
    return Judgement.objects.filter(rating_list=None).order_by("date", "kind")


def read_explanations(list_date: date) -> dict[tuple[str, Seen], Explanation]:
    """Return the explanations of a month by kind and figure as it was seen."""
    rows = Explanation.objects.filter(date=list_date).select_related("by")
    return {(row.kind, (row.code, row.value, row.cause)): row for row in rows}


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A figure as pages show it: its name, value, what is usual, the bounds, and the stop where it is out of them.

    `picture` has the values of the lists before, the bounds as a band, and this list's value. `bar` is why the reader
    does not explain the figure.
    """

    label: str
    value: str
    usual: str
    bounds: str
    picture: SafeString
    stop: Stop | None
    explanation: Explanation | None
    bar: Refusal | None = None

    @property
    def why(self) -> str:
        """What is usual and allowed, of a figure that stops a list."""
        return shown_bounds(self.stop) if self.stop else ""

    @property
    def state(self) -> str:
        """Whether the figure is within bounds, stops a list, or is explained; empty where nothing bounds it."""
        if self.stop is None:
            return "within" if self.bounds != "–" else ""
        return "explained" if self.explanation else "out"


def figure_rows(
    kind: str,
    figures: ListFigures,
    before: Sequence[ListFigures],
    stops: Sequence[Stop],
    explanations: Mapping[tuple[str, Seen], Explanation],
) -> list[FigureRow]:
    """Return the figures of a list with their bounds: those of the whole, and of federations those out of bounds.

    Those out of bounds are first.
    """
    by_code = {stop.code: stop for stop in stops}
    judged = [(one, by_code.pop(one.value.code, None)) for one in judge(figures, before)]
    others = [
        (Judged(Value(one.code, one.value, one.unit, 0), None, None, None, 0), one)
        for one in by_code.values()
    ]
    rows = [
        _figure_row(one, stop, explanations.get((kind, stop.seen)) if stop else None)
        for one, stop in (*others, *judged)
        if stop or ":" not in one.value.code
    ]
    return sorted(rows, key=lambda row: row.stop is None)


def _figure_row(one: Judged, stop: Stop | None, explanation: Explanation | None) -> FigureRow:
    usual, low, high = (stop.usual, stop.low, stop.high) if stop else (one.usual, one.low, one.high)
    value, unit = one.value.value, one.value.unit
    return FigureRow(
        figure_label(one.value.code),
        shown_value(value, unit),
        "–" if usual is None else shown_value(usual, unit),
        "–" if low is None or high is None else f"{shown_value(low, unit)} – {shown_value(high, unit)}",
        band_svg([*reversed(one.before), value], None if low is None or high is None else (low, high)),
        stop,
        explanation,
    )


SOURCES = {
    Source.GAMES: _l("Rating changes from games"),
    Source.FIRST: _l("Initial ratings"),
    Source.LOST: _l("Ratings of players who left the list"),
    Source.CORRECTIONS: _l("Corrections"),
    Source.ADJUSTMENTS: _l("Adjustments"),
    Source.ROUNDING: _l("Rounding"),
}


def points_rows(figures: ListFigures) -> list[tuple[str, int]]:
    """Return where the points of a list came from, in hundredths, with their sum at the end."""
    rows = [
        (str(label), figures.points[source]) for source, label in SOURCES.items() if source in figures.points
    ]
    return [*rows, (_("Total"), sum(value for _label, value in rows))]
