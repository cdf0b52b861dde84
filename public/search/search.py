"""The search for players, tournaments and federations."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from public.filters import SearchForm, numbered_for
from ratings.federations import find_federations
from ratings.lists import read_lists
from ratings.records import former_ids
from ratings.search import Found, find_players_or_alike, find_tournaments

TOURNAMENTS = 8


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Find players and tournaments. A FIDE ID redirects to its player."""
    form = SearchForm(request.GET)
    form.fields["q"].label = _("Name, FIDE ID or tournament")
    words = form.words()
    newest = read_lists().newest_of_each()
    also = numbered_for(request, words)
    found = find_players_or_alike(words, newest=newest, also=also) if words else Found()
    only = found.players[0].player.pk if len(found.players) == 1 and words.strip().isdecimal() else None
    if only and words.strip() in map(str, (only, *former_ids(only))):
        return redirect("players:player", only)
    tournaments, has_more = find_tournaments(words, shown=TOURNAMENTS) if words else ([], False)
    if not words:
        form.fields["q"].widget.attrs["autofocus"] = True
    context = {
        "form": form,
        "words": words,
        "found": found,
        "tournaments": tournaments,
        "has_more_tournaments": has_more,
        "federations": find_federations(words, shown=TOURNAMENTS),
    }
    return render(request, "public/search/search.html", context)
