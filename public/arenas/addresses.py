"""Lookups for the URLs of an arena: arena, member, game, list and category, or a 404."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from arenas.choices import RatingSystem
from arenas.games import games_of
from arenas.members import find_arena, find_member
from arenas.models import Arena, ArenaList, Game, Member
from core.html.paging import query_url

LABELS: dict[str, str | Promise] = {
    "rapid": _l("Rapid"),
    "blitz": _l("Blitz"),
    "bullet": _l("Bullet"),
    "all": _l("All games"),
}
# What a player knows of the rating systems.
SYSTEM_WORDS: dict[str, Promise] = {
    RatingSystem.FOA_RBB: _l("Separate ratings for rapid, blitz and bullet."),
    RatingSystem.CHESS_ONLINE: _l(
        "The average of the first 20 games, then the Elo formula. A rating cannot fall far below its highest."
    ),
    RatingSystem.FLYORDIE: _l(
        "A rating starts at 0. Repeated games against one opponent count less. Each day a rating falls a little."
    ),
}
# CSS classes of the chart lines.
KINDS = {"rapid": "rapid", "blitz": "blitz", "bullet": "standard"}


def arena_or_404(slug: str) -> Arena:
    found = find_arena(slug)
    if found is None:
        raise Http404(_("This arena does not exist."))
    return found


def member_or_404(arena: Arena, number: int) -> Member:
    found = find_member(arena, number)
    if found is None:
        raise Http404(_("This arena does not have this member."))
    return found


def game_or_404(arena: Arena, number: int) -> Game:
    found = games_of(arena).filter(pk=number).first()
    if found is None:
        raise Http404(_("This arena does not have this game."))
    return found


def list_or_404(arena: Arena, day: date) -> ArenaList:
    found = ArenaList.objects.filter(arena=arena, date=day).select_related("arena").first()
    if found is None:
        raise Http404(_("This arena has no list for this date."))
    return found


def category_label(category: str) -> str:
    return str(LABELS.get(category, category))


def category_kind(category: str) -> str:
    """Return the CSS class of a category's line in a chart."""
    return KINDS.get(category, "rapid")


def chosen_category(request: HttpRequest, arena: Arena) -> str:
    """Return the category in the query, or the arena's first one. Raise Http404 for an unknown category."""
    category = request.GET.get("category") or arena.categories[0]
    if category not in arena.categories:
        raise Http404(_("This arena does not have this category."))
    return category


def category_tabs(request: HttpRequest, arena: Arena, current: str) -> list[dict[str, Any]]:
    """Return a tab for each category. The tabs start on the first page."""
    if len(arena.categories) == 1:
        return []
    return [
        {
            "label": category_label(category),
            "url": query_url(request.GET, category=category),
            "current": category == current,
        }
        for category in arena.categories
    ]
