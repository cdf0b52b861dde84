"""All arenas."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from arenas.members import arenas_with_activity
from arenas.models import Arena
from arenas.standings import StandingRow, row_of, standings
from core.web.etags import public_page
from public.arenas.addresses import SYSTEM_WORDS, category_label

LEADERS = 3


@require_safe
@public_page
def arenas(request: HttpRequest) -> HttpResponse:
    """Show each arena with the members who lead its first category."""
    shown = [
        (arena, category_label(arena.categories[0]), _leaders(arena)) for arena in arenas_with_activity()
    ]
    return render(request, "public/arenas/arenas.html", {"arenas": shown, "words": SYSTEM_WORDS})


def _leaders(arena: Arena) -> list[tuple[int, StandingRow]]:
    rows = standings(arena, arena.categories[0]).order_by("-hundredths", "member__handle")[:LEADERS]
    return [
        (one.member_id, row_of(arena, one.member.handle, one.category, (one.hundredths, one.games)))
        for one in rows
    ]
