"""Suggestions for what is typed so far, as fragments of a page."""

from __future__ import annotations

from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from players.arbiters import arbiter_of, find_arbiters
from players.spelling import fold
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


MARK = mark_safe("<mark>"), mark_safe("</mark>")


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """Return an HTML fragment with suggestions for the text typed so far, 8 at most.

    `in=tournaments` or `in=federations` limits them.
    """
    words, only = SearchForm(request.GET).words().strip(), request.GET.get("in")
    found, tournaments, federations, room = Found(), [], [], 0
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
        # Whether the page of results may have more of a kind.
        "is_cut": found.is_cut or len(players) < len(found.players) or len(tournaments) == room,
        "marked": lambda name: mark_words(str(name), words),
    }
    return render(request, "public/search/suggestions.html", context)


def mark_words(name: str, words: str) -> SafeString:
    """Return a name with the letters that were typed marked, whatever their accents and case."""
    # A letter may be two without its accent: the place in the name of each folded one.
    folded = [(letter, place) for place, sign in enumerate(name) for letter in fold(sign)]
    plain = "".join(letter for letter, _place in folded)
    marks: set[int] = set()
    for word in filter(None, (fold(word).strip(",.") for word in words.split())):
        # At the beginning of a word rather than inside one.
        start = max(plain.find(word), f" {plain}".find(f" {word}"))
        marks |= {place for _letter, place in folded[start : start + len(word)]} if start >= 0 else set()
    runs = groupby(enumerate(name), key=lambda one: one[0] in marks)
    parts = (("".join(sign for _place, sign in run), is_marked) for is_marked, run in runs)
    return format_html_join(
        "", "{}{}{}", ((MARK[0], text, MARK[1]) if is_marked else ("", text, "") for text, is_marked in parts)
    )


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
