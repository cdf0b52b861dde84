"""What a list changed, and how its ratings are spread."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.ui.charts import Bar, bar_chart_svg, bar_chart_table
from ratings.models import RatingList
from ratings.queries.catalogue import catalogue
from ratings.queries.movements import CLASS, Spread, movements_of, spread_of
from ratings.views.conditional import conditionally
from ratings.views.lists import list_or_404


@require_safe
def movements(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show gains, losses, newcomers and the spread of a list."""
    lists = catalogue()
    chosen = list_or_404(lists, kind, day)

    def page() -> HttpResponse:
        spread = spread_of(chosen)
        context = {
            "list": chosen,
            "moved": movements_of(chosen),
            "spread": spread,
            "chart": _chart(chosen, spread),
        }
        return render(request, "ratings/movements.html", context)

    version = ("movements", chosen.pk, lists.version)
    return conditionally(request, page, version=version, changed_at=lists.changed_at)


def _chart(chosen: RatingList, spread: Spread) -> dict[str, Any]:
    bars = [Bar(f"{start}–{start + CLASS - 1}", players) for start, players in spread.classes]
    title = _("Players by rating")
    description = _("How many of the listed players have a rating in each class of 100 points.")
    return {
        "svg": bar_chart_svg(bars, title=title, description=description),
        "table": bar_chart_table(bars, heads=(_("Rating"), _("Players"))),
        "caption": title,
    }
