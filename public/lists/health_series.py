"""Rating health over time, for each rating type that the portal publishes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.charts.curves import Curve, Write
from core.html.dates import short_month
from core.html.figures import decimal_tenths, percent_tenths, signed_tenths
from core.web.downloads import streamed_file
from core.web.etags import conditionally
from public.lists.health import Chart, chart_part
from ratings.choices import PUBLISHED_KINDS
from ratings.queries.health.reading import (
    Health,
    HealthSummary,
    series_csv,
    series_of,
)

# Rating types with a line, by name.
LINES = {str(kind): kind for kind in PUBLISHED_KINDS}


@require_safe
def series(request: HttpRequest) -> HttpResponse:
    """Show the rating health over time, for each rating type that the portal publishes."""
    by_kind = {kind: series_of(kind) for kind in LINES}

    def page() -> HttpResponse:
        months = sorted({one.day for some in by_kind.values() for one in some})
        context = {
            "newest": [some[-1] for some in by_kind.values() if some],
            "kinds": LINES,
            "charts": list(_charts_over_time(by_kind, months)),
        }
        return render(request, "public/lists/health_series.html", context)

    return conditionally(request, page, version=("health", *_versions(by_kind)))


@require_safe
def series_file(request: HttpRequest) -> HttpResponseBase:
    """Send the summaries of all lists as CSV, one list per row."""
    by_kind = {kind: series_of(kind) for kind in LINES}

    def content() -> Any:
        rows = [one for some in by_kind.values() for one in some]
        return streamed_file(series_csv(rows), name="rating-health.csv")

    return conditionally(request, content, version=("health.csv", *_versions(by_kind)))


def _versions(by_kind: dict[str, list[Health]]) -> Iterator[Any]:
    return ((kind, len(some), [one.measured_at for one in some[-1:]]) for kind, some in by_kind.items())


# A chart over time: the value it reads, title, description, name, and number format.
Course = tuple[Callable[[HealthSummary], int | None], str, str, str, Write]


def _charts_over_time(by_kind: dict[str, list[Health]], months: Sequence[date]) -> Iterator[Chart]:
    """Yield the charts with a line for each rating type."""
    labels = [short_month(month) for month in months]
    for read, title, about, name, write in (*_courses_of_ratings(), *_courses_of_games()):
        curves = [
            Curve(kind, capfirst(LINES[kind].label), _by_month(some, months, read))
            for kind, some in by_kind.items()
        ]
        drawn = chart_part(labels, curves, title, about, name=name, head=_("List"), write=write)
        yield drawn | {"about": about}


def _courses_of_ratings() -> Iterator[Course]:
    yield (
        lambda one: one.reference.mean_tenths,
        _("Rating change of players aged 30 to 49"),
        _(
            "Average change of active players since the list 12 months before, or since the oldest list. Above 0 "
            "is inflation, below 0 deflation."
        ),
        "change",
        signed_tenths,
    )
    yield (
        lambda one: one.higher.gap_tenths,
        _("Actual score minus expected score"),
        _(
            "For the higher rated player, in percent of the points. Below 0, rating differences are too large."
        ),
        "gap",
        signed_tenths,
    )
    yield (
        lambda one: one.settled.absolute_tenths,
        _("Distance from initial ratings"),
        _(
            "Average distance of the rating from the initial rating, for initial ratings of the last 12 lists."
        ),
        "distance",
        decimal_tenths,
    )


def _courses_of_games() -> Iterator[Course]:
    yield (
        lambda one: one.outside_tenths,
        _("Games with a rating difference of more than 400"),
        _("Share of the games between two rated players."),
        "outside",
        percent_tenths,
    )
    yield (
        lambda one: one.foreign_tenths,
        _("Games between federations"),
        _("Share of the games of the last 12 lists in which the players have different federations."),
        "foreign",
        percent_tenths,
    )
    yield (
        lambda one: 10 * one.games,
        _("Games by list"),
        _("Games between two rated players."),
        "games",
        _whole,
    )
    yield (
        lambda one: 10 * one.played,
        _("Players with games by list"),
        _("Listed players with at least one rated game on the list."),
        "played",
        _whole,
    )


def _by_month(
    some: Sequence[Health], months: Sequence[date], read: Callable[[HealthSummary], int | None]
) -> list[int | None]:
    values = {one.day: read(one.summary) for one in some}
    return [values.get(month) for month in months]


def _whole(tenths: int | None) -> str:
    return decimal_tenths(None) if tenths is None else str(tenths // 10)
