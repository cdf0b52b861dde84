"""A game of an arena, with the change of both ratings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arenas.choices import Cause
from arenas.games import describe_game
from arenas.members import describe_change
from arenas.models import Change
from core.web.etags import public_page
from public.arenas.addresses import arena_or_404, category_label, game_or_404
from public.arenas.results import outcome_of


@require_safe
@public_page
def game(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    arena = arena_or_404(slug)
    found = game_or_404(arena, number)
    reversals = Change.objects.filter(game=found, cause=Cause.CANCELLED).select_related("rating__member")
    played = describe_game(arena.rules, found)
    context = {
        "arena": arena,
        "game": found,
        "shown": played,
        "sides": [played.white, played.black],
        "outcomes": [outcome_of(played, side) for side in (played.white, played.black)],
        "category_label": category_label(found.category) if found.category else "",
        "reversals": [describe_change(arena, row) for row in reversals.order_by("pk")],
    }
    return render(request, "public/arenas/game.html", context)
