"""The search for players."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from public.filters import SearchForm, numbered_for
from ratings.entries import top_of
from ratings.events import latest_winners
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.movements import newcomers_of
from ratings.search import Found, find_players_or_alike
from tournaments.choices import Kind
from tournaments.lists import Lists

SHOWN_ON_SEARCH = 10
# Each has two lines.
WINNERS = 5


@require_safe
@public_page
def players(request: HttpRequest) -> HttpResponse:
    """Find players by name or FIDE ID. Without a search text, show players from the newest lists and tournaments."""
    form = SearchForm(request.GET)
    words = form.words()
    lists = read_lists()
    newest, also = lists.newest_of_each(), numbered_for(request, words)
    found = find_players_or_alike(words, newest=newest, also=also) if words else Found()
    context: dict[str, Any] = {"form": form, "words": words, "found": found}
    if not request.GET.get("q"):
        context |= {"kinds": _newest_lists(lists), "winners": latest_winners(shown=WINNERS)}
    return render(request, "public/players/players.html", context)


def _newest_lists(lists: Lists[RatingList]) -> list[dict[str, Any]]:
    """Return the newest list of each rating type with its top active players and its initial ratings."""
    newest = [found for kind in Kind if (found := lists.newest(kind))]
    return [
        {
            "list": rating_list,
            "rows": top_of(rating_list, lists.previous(rating_list), shown=SHOWN_ON_SEARCH),
            "newcomers": newcomers_of(rating_list, shown=SHOWN_ON_SEARCH),
        }
        for rating_list in newest
    ]
