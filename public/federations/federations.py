"""All federations, with their number of players on the current lists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from players.federations import unlisted_codes
from public.filters import SearchForm
from ratings.federations import all_federations, listed_players, upcoming_of_each
from ratings.lists import read_lists
from tournaments.choices import Kind


class FederationSearchForm(SearchForm):
    q = forms.CharField(label=_l("Name, code or continent"), max_length=100)


@require_safe
@public_page
def federations(request: HttpRequest) -> HttpResponse:
    """Show all federations, or the search results, with their number of players on the current lists."""
    form = FederationSearchForm(request.GET)
    today = timezone.now().date()
    unlisted, upcoming = unlisted_codes(today), upcoming_of_each(today)
    newest = [found for kind in Kind if (found := read_lists().newest(kind))]
    counts = [listed_players(item) for item in newest]
    rows: list[dict[str, Any]] = [
        {
            "federation": one,
            "is_unlisted": one.code in unlisted,
            "players": [players.get(one.code, 0) for players in counts],
            "upcoming": upcoming.get(one.code, 0),
        }
        for one in all_federations(form.words())
    ]
    # All 209 are long to scroll through: who looks for a name gets one table.
    listed = [row for row in rows if any(row["players"])] if not form.words() else []
    context = {
        "form": form,
        "words": form.words(),
        "newest": newest,
        "rows": listed or rows,
        "others": [row for row in rows if row not in listed] if listed else [],
    }
    return render(request, "public/federations/federations.html", context)
