"""Rating health of a list, as charts with tables, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from core.html.charts.curves import Curve, Write, curve_chart_svg, curve_chart_table
from core.html.charts.deviations import Deviation, deviation_chart_svg
from core.html.dates import list_month
from core.html.figures import decimal_tenths, percent_tenths, signed_tenths
from core.html.tables import Table
from core.web.downloads import streamed_file
from core.web.etags import conditionally
from public.lists.addresses import list_or_404
from public.lists.head import head_of
from ratings.queries.health.reading import (
    REFERENCE_AGES,
    HealthFigures,
    HealthSummary,
    Trend,
    band_name,
    class_name,
    health_of,
    list_csv,
    strength_name,
)
from ratings.queries.lists import read_lists

FEDERATIONS = 50
Chart = dict[str, Any]
TRENDS = {
    Trend.RISING: _l("Ratings are rising."),
    Trend.FALLING: _l("Ratings are falling."),
    Trend.STEADY: _l("Ratings are steady."),
    Trend.UNKNOWN: _l("Too few players for a trend."),
}


@require_safe
def health(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show how well the ratings of a list predict results, and the links between federations."""
    lists = read_lists()
    chosen = list_or_404(lists, kind, day)
    measured = health_of(chosen)

    def page() -> HttpResponse:
        context = {
            "list": chosen,
            "head": head_of(lists, chosen, request.GET, page="health"),
            "summary": measured.summary if measured else None,
            "figures": measured.figures if measured else None,
            "charts": _charts_of(measured.figures) if measured and measured.figures else {},
            "trend": TRENDS[measured.summary.trend] if measured else "",
            "verdicts": [*_verdicts(measured.summary)] if measured else [],
            "most": FEDERATIONS,
        }
        return render(request, "public/lists/health.html", context)

    version = ("health", chosen.pk, measured and measured.measured_at, lists.version)
    # Without a Last-Modified: the figures are measured after the publication.
    return conditionally(request, page, version=version)


@require_safe
def file(request: HttpRequest, kind: str, day: date) -> HttpResponseBase:
    """Send the figures of a list as CSV, one value per row."""
    measured = health_of(list_or_404(read_lists(), kind, day))
    if measured is None or measured.figures is None:
        raise Http404(_("This list does not have this file."))
    figures = measured.figures

    def content() -> Any:
        return streamed_file(list_csv(figures), name=f"{kind}-{day.isoformat()}-health.csv")

    return conditionally(request, content, version=("health.csv", kind, day, measured.measured_at))


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judgement in words with the figure it rests on; None where there are too few figures for one."""

    code: str
    is_good: bool | None
    words: str
    figure: str


def _verdicts(summary: HealthSummary) -> Iterator[Verdict]:
    """Yield whether the scores match the ratings, where these go, and whether all players are linked."""
    scores = {
        True: _("Scores match the ratings"),
        False: _("Scores do not match the ratings"),
        None: _("Too few games for a verdict"),
    }
    yield Verdict(
        "scores",
        summary.higher.matches,
        scores[summary.higher.matches],
        _("Actual minus expected score of the higher rated players: %(gap)s percent in %(games)s games.")
        % {
            "gap": signed_tenths(summary.higher.gap_tenths),
            "games": number_format(summary.higher.games, force_grouping=True),
        },
    )
    is_steady = None if summary.trend == Trend.UNKNOWN else summary.trend == Trend.STEADY
    change = _("Average change at ages 30 to 49 since %(month)s: %(change)s points.")
    yield Verdict(
        "trend",
        is_steady,
        str(TRENDS[summary.trend]).rstrip("."),
        change % {"month": list_month(summary.since), "change": signed_tenths(summary.reference.mean_tenths)}
        if summary.since
        else _("No earlier list to compare with"),
    )
    groups = ngettext("%(number)s connected group", "%(number)s separate groups", summary.groups)
    yield Verdict(
        "groups",
        summary.groups == 1 if summary.groups else None,
        groups % {"number": summary.groups},
        _("Games between federations: %(share)s") % {"share": percent_tenths(summary.foreign_tenths)},
    )


def _charts_of(figures: HealthFigures) -> dict[str, Chart]:
    return {
        "scores": _scores(figures),
        "ages": _changes(
            [
                (band_name(band) or _("unknown"), moved.mean_tenths, moved.players, band in REFERENCE_AGES)
                for band, moved in figures.ages
            ],
            _("Average rating change by age"),
            name="by-age",
            head=_("Age"),
        ),
        "strengths": _changes(
            [
                (strength_name(first), moved.mean_tenths, moved.players, False)
                for first, moved in figures.strengths
            ],
            _("Average rating change by rating"),
            name="by-rating",
            head=_("Rating"),
        ),
        "settling": _settling(figures),
    }


def _scores(figures: HealthFigures) -> Chart:
    labels = [class_name(first) for first, _scores in figures.curve]
    curves = [
        Curve(
            "first",
            _("Actual score"),
            [scores.score_tenths for _first, scores in figures.curve],
            weights=[scores.games for _first, scores in figures.curve],
        ),
        Curve(
            "second",
            capfirst(_("expected")),
            [one.expected_tenths for _, one in figures.curve],
            is_dashed=True,
        ),
    ]
    title = _("Score of the higher rated player by rating difference")
    description = _("Percent of the points that higher rated players scored, and what the table expects.")
    chart = chart_part(labels, curves, title, description, name="scores", head="", write=percent_tenths)
    rows = [
        [class_name(first), str(one.games), percent_tenths(one.score_tenths), percent_tenths(one.expected_tenths),
         signed_tenths(one.gap_tenths)]
        for first, one in figures.curve
    ]  # fmt: skip
    heads = [_("Rating difference"), _("Games"), _("Actual score"), _("Expected score"), _("Difference")]
    return chart | {"table": Table(heads, rows)}


def _changes(rows: Sequence[tuple[str, int | None, int, bool]], title: str, *, name: str, head: str) -> Chart:
    svg = deviation_chart_svg(
        [Deviation(label, mean, is_reference) for label, mean, _players, is_reference in rows],
        title=title,
        description=_("Average rating change of players who stayed active, in points."),
        name=name,
        reference=_("reference ages"),
    )
    cells = [[label, str(players), signed_tenths(mean)] for label, mean, players, _is_reference in rows]
    return {"svg": svg, "table": Table([head, _("Players"), _("Average change")], cells), "caption": title}


def _settling(figures: HealthFigures) -> Chart:
    labels = [str(one.lists) for one in figures.settling]
    curves = [
        Curve("first", _("Distance"), [one.absolute_tenths for one in figures.settling]),
        Curve("second", _("Change"), [one.mean_tenths for one in figures.settling], is_dashed=True),
    ]
    title = _("Distance from the initial rating by lists since")
    description = _("Average distance and average change of the rating since the initial rating, in points.")
    chart = chart_part(labels, curves, title, description, name="settling", head="", write=signed_tenths)
    rows = [
        [str(one.lists), str(one.players), decimal_tenths(one.absolute_tenths), signed_tenths(one.mean_tenths),
         percent_tenths(one.near_tenths), str(one.scores.games), signed_tenths(one.scores.gap_tenths)]
        for one in figures.settling
    ]  # fmt: skip
    heads = [
        _("Lists since"), _("Players"), _("Average distance"), _("Average change"), _("Within 50 points"),
        _("Games"), _("Score minus expected score, in percent"),
    ]  # fmt: skip
    return chart | {"table": Table(heads, rows)}


def chart_part(
    labels: Sequence[str],
    curves: Sequence[Curve],
    title: str,
    description: str,
    *,
    name: str,
    head: str,
    write: Write,
) -> Chart:
    return {
        "svg": curve_chart_svg(labels, curves, title=title, description=description, name=name, write=write),
        "table": curve_chart_table(labels, curves, head=head, write=write),
        "caption": title,
    }
