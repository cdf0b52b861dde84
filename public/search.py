"""The search for players, tournaments and federations, and its suggestions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.web.etags import public_page
from players.queries.arbiters import arbiter_of, find_arbiters
from public.filters import SearchForm
from public.tournaments.near import labelled
from ratings.queries.federations import find_federations
from ratings.queries.lists import read_lists
from ratings.queries.records import former_ids
from ratings.queries.search import Found, find_players_or_alike
from ratings.queries.tournament_search import find_tournaments, suggest_tournaments
from tournaments.queries.towns import suggest_towns

TOURNAMENTS = 8
SUGGESTIONS = 8
# The most federations among the suggestions if there are players or tournaments, too.
FEDERATIONS = 2
ONLY = ("tournaments", "federations")
MIN_LETTERS = 2


@require_safe
@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Find players and tournaments. A FIDE ID redirects to its player."""
    form = SearchForm(request.GET)
    form.fields["q"].label = _("Name, FIDE ID or tournament")
    words = form.words()
    newest = read_lists().newest_of_each()
    found = find_players_or_alike(words, newest=newest) if words else Found()
    only = found.players[0].player.pk if len(found.players) == 1 and words.strip().isdecimal() else None
    if only and words.strip() in map(str, (only, *former_ids(only))):
        return redirect("players:player", only)
    context = {
        "form": form,
        "words": words,
        "found": found,
        "tournaments": find_tournaments(words, shown=TOURNAMENTS) if words else [],
        "federations": find_federations(words, shown=TOURNAMENTS),
    }
    return render(request, "public/search/search.html", context)


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with suggestions for the text typed so far, 8 at most.

    `in=tournaments` or `in=federations` limits them.
    """
    words, only = SearchForm(request.GET).words().strip(), request.GET.get("in")
    found, tournaments, federations = Found(), [], []
    if len(words) >= MIN_LETTERS:
        if only not in ONLY:
            found = find_players_or_alike(words, newest=read_lists().newest_of_each(), shown=SUGGESTIONS)
        if only != "tournaments" and not words.isdecimal():
            federations = find_federations(words, shown=SUGGESTIONS if only else FEDERATIONS)
        room = SUGGESTIONS - len(federations) - min(len(found.players), SUGGESTIONS - 2 - len(federations))
        if only != "federations" and not words.isdecimal():
            tournaments = suggest_tournaments(words, shown=room)
    players = found.players[: SUGGESTIONS - len(tournaments) - len(federations)]
    context = {
        "players": players,
        "tournaments": tournaments,
        "federations": federations,
        "words": words,
        "only": only,
    }
    return render(request, "public/search/suggestions.html", context)


@require_safe
def towns(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with towns for the text typed so far, 8 at most."""
    words = SearchForm(request.GET).words().strip()
    found = suggest_towns(words, shown=SUGGESTIONS) if len(words) >= MIN_LETTERS else []
    return render(request, "public/search/towns.html", {"towns": labelled(found), "words": words})


@require_safe
def arbiters(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with the first arbiters for the text typed so far, 8 at most."""
    words = SearchForm(request.GET).words().strip()
    found = find_arbiters(words, shown=SUGGESTIONS) if len(words) >= MIN_LETTERS else []
    context = {"arbiters": [arbiter_of(player) for player in found], "words": words}
    return render(request, "public/search/arbiters.html", context)
