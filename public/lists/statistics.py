"""The statistics of a list as charts, each with its table."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.html.charts.bars import Bar, balance_svg, bar_chart_svg, bar_chart_table
from core.html.charts.curves import Curve, curve_chart_svg
from core.html.dates import short_month
from core.html.figures import decimal_tenths, percent_tenths, signed_tenths
from core.html.tables import Table
from core.web.etags import conditionally
from public.lists.addresses import list_or_404
from public.lists.head import head_of
from ratings.judgements import figure_rows, judgement_of, points_rows
from ratings.lists import read_lists
from ratings.models import RatingList, adjustment_on
from ratings.ranking import Ranking
from ratings.statistics import (
    BANDS,
    CLASS,
    DIFFERENCES,
    LAST_DIFFERENCE,
    Group,
    Results,
    Scores,
    Statistics,
    classes_of,
    ranking_among,
    results_of,
    share_tenths,
    statistics_of,
)

GROUPS = {
    Group.ALL: _l("All"),
    Group.ACTIVE: _l("Active"),
    Group.WOMEN: _l("Women"),
    Group.JUNIORS: _l("Juniors"),
}


@require_safe
def statistics(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show the distribution of a list's ratings, its players, and the number of games.

    `?among=women` counts the ratings of a group.
    """
    lists = read_lists()
    chosen = list_or_404(lists, kind, day)

    def page() -> HttpResponse:
        counted, results = statistics_of(chosen), results_of(chosen, lists)
        group = next((one for one in Group if one == request.GET.get("among")), Group.ALL)
        ranking = ranking_among(chosen, group)
        classes = list(classes_of(ranking))
        earlier = lists.previous(chosen)
        newest = results.months[-1] if results.months else None
        context = {
            "before": {"list": earlier, "counted": statistics_of(earlier)} if earlier else None,
            "shares": {
                "active": share_tenths(counted.whole.active, counted.whole.players),
                "women": share_tenths(counted.whole.women, counted.whole.players),
            },
            "taken": newest if newest and newest.day == chosen.date else None,
            "initial": results.initial,
            "stayed": results.stayed,
            "median": _median(ranking, classes),
            "groups": [
                (label, "" if one == Group.ALL else one, one == group) for one, label in GROUPS.items()
            ],
            "list": chosen,
            "adjustment": adjustment_on(chosen),
            "counted": counted,
            "head": head_of(lists, chosen, request.GET, page="statistics"),
            "spread": _spread(classes),
            "ages_chart": _ages(counted),
            "games": _games(results),
            "rated_games": sum(one.games for _first, one in results.scores),
            "scores": _scores(results.scores),
            **_judged(chosen),
        }
        return render(request, "public/lists/statistics.html", context)

    # The head names every list of the year.
    version = ("statistics", chosen.pk, chosen.published_at, lists.version)
    return conditionally(request, page, version=version, changed_at=lists.changed_at)


def _judged(chosen: RatingList) -> dict[str, Any]:
    """Return the figures of a list with their bounds and explanations, and where its points came from (D-134)."""
    judged, figures = judgement_of(chosen)
    if judged is None:
        return {"judged": None}
    points = points_rows(figures)
    widest = max((abs(value) for _label, value in points), default=0)
    rows = figure_rows(chosen.kind, figures, judged.before, judged.stops, judged.explanations)
    return {
        "judged": judged,
        "figure_rows": rows,
        "explained": [row for row in rows if row.explanation],
        "points": [(label, _points(value), balance_svg(value, widest)) for label, value in points],
    }


def _points(hundredths: int) -> str:
    """Return points with their sign: `+1,322,070`, `−36.50`."""
    number = number_format(abs(hundredths) / 100, 2 if hundredths % 100 else 0, force_grouping=True)
    return f"{'+' if hundredths > 0 else '−' if hundredths else ''}{number}"


def _spread(counted: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Return a bar chart by rating class. Bars have the first rating of a class as label, the table the range."""
    bars = [Bar(str(start), players) for start, players in counted]
    classes = [Bar(f"{start}–{start + CLASS - 1}", players) for start, players in counted]
    description = _("Number of listed players in each rating class of 100 points.")
    chart = _chart(bars, _("Players by rating"), description, name="ratings", head=_("Rating"))
    return {**chart, "table": bar_chart_table(classes, heads=(_("Rating"), _("Players")))}


def _ages(counted: Statistics) -> dict[str, Any]:
    """Return a bar chart by age, with women and the average rating in its table."""
    bars = [Bar(_age(first), part.players) for first, part in counted.bands]
    description = _("Number of listed players by the age they reach in the list's year.")
    chart = _chart(bars, _("Players by age"), description, name="ages", head=_("Age"))
    heads = [_("Age"), _("Players"), _("Active"), _("Women"), _("Average rating")]
    rows = [
        [
            _age(first),
            *(
                number_format(number, force_grouping=True)
                for number in (part.players, part.active, part.women)
            ),
            decimal_tenths(part.average_tenths),
        ]
        for first, part in counted.bands
    ]
    return {**chart, "table": Table(heads, rows)}


def _median(ranking: Ranking, classes: Sequence[tuple[int, int]]) -> dict[str, int] | None:
    """Return the rating that half of the players do not exceed, and the largest class; None without players."""
    if not ranking.total:
        return None
    place = bisect_left(ranking.up_to, (ranking.total + 1) // 2)
    # Of equally large classes the lowest.
    first, _players = max(classes, key=lambda one: (one[1], -one[0]))
    return {"rating": ranking.ratings[place], "first": first, "last": first + CLASS - 1}


def _games(results: Results) -> dict[str, Any]:
    bars = [Bar(short_month(month.day), month.games) for month in results.months]
    description = _("Number of rated games on each list of this rating type, up to this one.")
    return _chart(bars, _("Games by list"), description, name="games", head=_("List"), what=_("Games"))


def _scores(scores: Sequence[tuple[int, Scores]]) -> dict[str, Any]:
    """Return the calibration curve: the scores of the higher rated players beside those that the table expects."""
    labels = [_difference(first) for first, _one in scores]
    actual = [one.score_tenths for _first, one in scores]
    weights = [one.games for _first, one in scores]
    expected = [one.expected_tenths for _first, one in scores]
    title = _("Score of the higher rated player by rating difference")
    svg = curve_chart_svg(
        labels,
        [
            Curve("first", _("Actual score"), actual, weights=weights),
            Curve("second", capfirst(_("expected")), expected, is_dashed=True),
        ],
        title=title,
        description=_("Percent of the points that higher rated players scored, and what the table expects."),
        name="scores",
        write=percent_tenths,
    )
    heads = [_("Rating difference"), _("Games"), _("Actual score"), _("Expected score"), _("Difference")]
    rows = [
        [
            _difference(first),
            str(one.games),
            percent_tenths(one.score_tenths),
            percent_tenths(one.expected_tenths),
            signed_tenths(one.gap_tenths),
        ]
        for first, one in scores
    ]
    return {"svg": svg, "table": Table(heads, rows), "caption": title}


def _difference(first: int) -> str:
    """Return the label of a band of rating differences: `50–99`, `800+`."""
    return f"{first}+" if first == LAST_DIFFERENCE else f"{first}–{first + DIFFERENCES - 1}"


def _chart(
    bars: Sequence[Bar], title: str, description: str, *, name: str, head: str, what: str = ""
) -> dict[str, Any]:
    return {
        "svg": bar_chart_svg(bars, title=title, description=description, name=name),
        "table": bar_chart_table(bars, heads=(head, what or _("Players"))),
        "caption": title,
    }


def _age(first: int | None) -> str:
    """Return the label of an age band by its first age."""
    if first is None:
        return _("unknown")
    if first == BANDS[-1]:
        return f"{first}+"
    return f"{first}–{BANDS[BANDS.index(first) + 1] - 1}"
