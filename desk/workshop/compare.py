"""Proposals of the workshop side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.html.charts.curves import Curve, curve_chart_svg, curve_chart_table
from core.html.figures import signed_tenths
from core.html.tables import Table
from core.text_values import read_number
from desk.access import requires
from desk.workshop.workshop import MAX_COMPARED, describe_parameters
from ratings.models import RatingList, TextTrial
from ratings.permissions import can_see_workshop, proposals_of
from ratings.systems.arithmetic import half_away_from_zero

LINES = ("first", "second", "third")


# Classes of the chart that compares proposals: 5 points each up to 50, the outermost ones are open.
STEP, WIDEST = 5, 50


# The most letters of a name that fit beside a chart on a phone.
LABEL = 11


Row = dict[str, Any]


@never_cache
@require_safe
@requires(can_see_workshop)
def compare(request: HttpRequest) -> HttpResponse:
    """Show two or three proposals side by side."""
    named = (read_number(text) for text in request.GET.getlist("proposal"))
    wanted = [number for number in named if number is not None]
    # By key and not as asked for: the same proposals have the same colours under every address.
    chosen = list(proposals_of(request.user).filter(pk__in=wanted).order_by("pk")[:MAX_COMPARED])
    context = {"proposals": chosen, "most": MAX_COMPARED}
    if chosen:
        lists = sorted({name for item in chosen for name in item.lists})
        context |= {
            "parameters": _parameter_table(chosen),
            "tables": [(title, _table(chosen, lists, read)) for title, read in FIGURES],
            "chart": _chart(chosen),
        }
    return render(request, "desk/workshop/compare.html", context)


def _parameter_table(chosen: Sequence[TextTrial]) -> Table:
    shown = [dict(describe_parameters(item)) for item in chosen]
    labels = list(dict.fromkeys(label for one in shown for label in one))
    rows = [[label, *(one.get(label, _("as in the text")) for one in shown)] for label in labels]
    return Table([_("Figure"), *(item.name for item in chosen)], rows, numeric_from=len(chosen) + 1)


def mean_tenths(row: Row) -> int | None:
    """Return the average difference of the players with another rating on both sides, in tenths of a point."""
    players = sum(number for _points, number in row["distribution"])
    points = sum(points * number for points, number in row["distribution"])
    return half_away_from_zero(Fraction(10 * points, players)) if players else None


FIGURES: list[tuple[Any, Callable[[Row], str]]] = [
    (_l("Players with a different rating"), lambda row: str(row["players"])),
    (_l("Average difference of these players"), lambda row: signed_tenths(mean_tenths(row))),
    (_l("Games rated differently"), lambda row: str(row["games"])),
    (_l("New and lost ratings"), lambda row: f"{row['new']} / {row['lost']}"),
    (
        _l("Players active instead of inactive, and inactive instead of active"),
        lambda row: f"{row['activity']['active']} / {row['activity']['inactive']}",
    ),
]


def _table(chosen: Sequence[TextTrial], lists: Sequence[str], read: Callable[[Row], str]) -> Table:
    """Return a figure by list and proposal. A dash means not tried on this list, or not finished."""
    done = [{f"{row['kind']} {row['date']}": read(row) for row in item.results} for item in chosen]
    rows = []
    for name in lists:
        kind, day = name.split()
        title = str(RatingList(kind=kind, date=date.fromisoformat(day)))
        rows.append([title, *(one.get(name, "–") for one in done)])
    return Table([_("List"), *(item.name for item in chosen)], rows)


def _chart(chosen: Sequence[TextTrial]) -> Row:
    """Return a line for each proposal: the number of players by rating difference, on all its lists together."""
    classes = range(-WIDEST, WIDEST + 1, STEP)
    labels = [f"{first:+d}".replace("-", "−") for first in classes]
    curves = []
    for kind, item in zip(LINES, chosen, strict=False):
        counts = dict.fromkeys(classes, 0)
        for row in item.results:
            for points, number in row["distribution"]:
                # The nearest class in whole numbers, halves up.
                nearest = (2 * points + STEP) // (2 * STEP) * STEP
                counts[max(-WIDEST, min(WIDEST, nearest))] += number
        curves.append(Curve(kind, Truncator(item.name).chars(LABEL), [10 * counts[one] for one in classes]))
    named = [replace(curve, label=item.name) for curve, item in zip(curves, chosen, strict=True)]
    title = _("Players by difference")
    description = _("Number of players by points gained or lost, on all lists of a proposal.")
    return {
        "svg": curve_chart_svg(
            labels, curves, title=title, description=description, name="proposals", write=_whole
        ),
        "table": curve_chart_table(labels, named, head=_("Difference"), write=_whole),
        "caption": title,
    }


def _whole(tenths: int | None) -> str:
    return str((tenths or 0) // 10)
