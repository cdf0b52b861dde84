"""Suggestions for what is typed so far, as fragments of a page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from players.arbiters import arbiter_of, find_arbiters
from public.filters import SearchForm, numbered_for
from public.tournaments.near import label_towns
from ratings.federations import find_federations
from ratings.lists import read_lists
from ratings.search import Found, find_players_or_alike, suggest_tournaments
from tournaments.towns import suggest_towns

SUGGESTIONS = 8


# The most federations among the suggestions if there are players or tournaments, too.
FEDERATIONS = 2


ONLY = ("tournaments", "federations")


MIN_LETTERS = 2


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with suggestions for the text typed so far, 8 at most.

    `in=tournaments` or `in=federations` limits them.
    """
    words, only = SearchForm(request.GET).words().strip(), request.GET.get("in")
    found, tournaments, federations = Found(), [], []
    if len(words) >= MIN_LETTERS:
        if only not in ONLY:
            newest, also = read_lists().newest_of_each(), numbered_for(request, words)
            found = find_players_or_alike(words, newest=newest, shown=SUGGESTIONS, also=also)
        if only != "tournaments" and not words.isdecimal():
            federations = find_federations(words, shown=SUGGESTIONS if only else FEDERATIONS)
        # Two places at least are left for tournaments, however many players fit.
        room = SUGGESTIONS - len(federations) - min(len(found.players), SUGGESTIONS - 2 - len(federations))
        # A number is a FIDE ID, and hardly the name of a tournament.
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
    return render(request, "public/search/towns.html", {"towns": label_towns(found), "words": words})


@require_safe
def arbiters(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with the first arbiters for the text typed so far, 8 at most."""
    words = SearchForm(request.GET).words().strip()
    found = find_arbiters(words, shown=SUGGESTIONS) if len(words) >= MIN_LETTERS else []
    context = {"arbiters": [arbiter_of(player) for player in found], "words": words}
    return render(request, "public/search/arbiters.html", context)
