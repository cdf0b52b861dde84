"""The federations of a list, each with its players."""

from __future__ import annotations

from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.etags import conditionally
from public.lists.addresses import list_or_404
from public.lists.head import head_of
from ratings.federations import all_federations, listed_players
from ratings.lists import read_lists
from ratings.statistics import statistics_of


@require_safe
def federations(request: HttpRequest, kind: str, day: date) -> HttpResponse:
    """Show the federations of a list with their players, each with its highlights."""
    lists = read_lists()
    chosen = list_or_404(lists, kind, day)

    def page() -> HttpResponse:
        before = lists.previous(chosen)
        earlier = listed_players(before) if before else {}
        names = {one.code: one for one in all_federations()}
        context = {
            "list": chosen,
            "head": head_of(lists, chosen, request.GET, page="by-federation"),
            "before": before,
            # Those with the best ten first.
            "rows": [
                (names[one.code], one, one.part.players - earlier.get(one.code, 0))
                for one in statistics_of(chosen).federations
            ],
        }
        return render(request, "public/lists/federations.html", context)

    names = [(one.code, one.name) for one in all_federations()]
    return conditionally(request, page, version=("federations of list", chosen.pk, names, lists.version))
