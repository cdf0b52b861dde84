"""The parts of which pages are made, each with an example: `/styleguide/`, with DEBUG alone (docs/ui-guide.md)."""

from __future__ import annotations

from datetime import date

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.html.charts.bars import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import Point, Series, rating_history_svg, rating_history_table
from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.paging import Page
from core.html.tables import Column, sort_heads, sort_order

MONTHS = [date(2026, month, 1) for month in range(1, 9)]
RATINGS = [1812, 1812, 1836, 1829, 1871, 1871, 1894, 1888]
COLUMNS = [
    Column("Rank", numeric=True),
    Column("Name", "name"),
    Column("Federation", "federation"),
    Column("Rating", "rating", numeric=True, falling_first=True),
    Column("Change", numeric=True),
]
PLAYERS = [
    (1, "Alder, Ada", "LUX", 2134, 1200, 9),
    (2, "Birch, Benedikt", "SUI", 2101, -305, 5),
    (3, "Cedar, Cleo", "POR", 2088, 0, 0),
]
COLOURS = ["paper", "paper-raised", "paper-sunk", "ink", "ink-quiet", "rule", "accent", "accent-wash"]
STATES = [
    "draft",
    "waiting",
    "registered",
    "reported",
    "accepted",
    "rated",
    "published",
    "refused",
    "withdrawn",
]


PRIMITIVES = [
    "quiet",
    "small",
    "less",
    "larger",
    "light",
    "strong",
    "bold",
    "tabular",
    "raised",
    "sunk",
    "ruled-above",
    "ruled-below",
    "touch",
]
# The rail as `templates/desk/rail.html` draws that of a user.
RAIL = {
    "places": [
        {
            "label": "parts",
            "url": "#navigation",
            "count": 3,
            "current": "true",
            "pages": [{"label": "navigation", "url": "#navigation", "count": 3, "current": "page"}],
        },
        {"label": "tables", "url": "#tables", "count": 0, "current": ""},
    ],
    "roles": ["rating officer"],
    "federations": ["LUX"],
}
EVENTS = [
    {"what": "Registered", "who": "Ada Alder", "at": date(2026, 7, 1), "state": "done"},
    {"what": "Report due", "at": date(2026, 7, 30), "state": "now"},
    {"what": "Published", "at": date(2026, 8, 1), "state": "next"},
]


class ExampleForm(PortalForm):
    """A field of each kind, one of them with an error."""

    name = forms.CharField(label="Name of the tournament", help_text="As it stands on the poster.")
    rating_type = forms.ChoiceField(label="Rating type", choices=[("rapid", "rapid"), ("blitz", "blitz")])
    start = forms.DateField(label="First day")
    remark = TextField(label="Remark", required=False, rows=2)
    is_match = forms.BooleanField(label="It is a match", required=False)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """Show every part with an example."""
    series = [Series("rapid", "rapid", [Point(*point) for point in zip(MONTHS, RATINGS, strict=True)])]
    bars = [Bar("1600", 3), Bar("1700", 8), Bar("1800", 12), Bar("1900", 6), Bar("2000", 2)]
    sort = sort_order(COLUMNS, request.GET.get("sort"), default="-rating")
    context = {
        "bars": {
            "svg": bar_chart_svg(bars, title="Players by rating", description="Most have 1800 to 1899."),
            "table": bar_chart_table(bars, heads=("Rating from", "Players")),
        },
        "colours": COLOURS,
        "day": MONTHS[-1],
        "events": EVENTS,
        "form": ExampleForm({"rating_type": "rapid", "name": "Open of Alphaville", "start": "31/02/2026"}),
        "heads": sort_heads(COLUMNS, request.GET, sort=sort),
        "history": {
            "svg": rating_history_svg(series, title="Rapid rating", description="From 1812 to 1888 in 2026."),
            "table": rating_history_table(series),
        },
        "page": Page(PLAYERS, label="Ranks 1 to 3", next_url="#tables", last_url="#tables"),
        "players": PLAYERS,
        "primitives": PRIMITIVES,
        "unmarked": ["first of an unmarked list", "second"],
        "rail": RAIL,
        "states": STATES,
        "tabs": [
            {"label": "Crosstable", "url": "#navigation", "current": True, "count": None},
            {"label": "Standings", "url": "#navigation", "current": False, "count": 12},
            {"label": "Files", "url": "#navigation", "current": False, "count": 2},
        ],
        "today": date(2026, 7, 28),
    }
    return render(request, "styleguide.html", context)
