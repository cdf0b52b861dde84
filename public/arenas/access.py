"""What an address of an arena names, or a 404."""

from __future__ import annotations

from datetime import date

from django.http import Http404
from django.utils.translation import gettext as _

from arenas.models import Arena, ArenaList, Game, Member
from arenas.queries.standings import (
    find_arena,
    find_game,
    find_member,
)


def arena_or_404(slug: str) -> Arena:
    """Return an arena."""
    try:
        return find_arena(slug)
    except LookupError:
        raise Http404(_("There is no such arena.")) from None


def member_or_404(arena: Arena, number: int) -> Member:
    """Return a member of an arena."""
    try:
        return find_member(arena, number)
    except LookupError:
        raise Http404(_("The arena has no such member.")) from None


def game_or_404(arena: Arena, number: int) -> Game:
    """Return a game of an arena."""
    try:
        return find_game(arena, number)
    except LookupError:
        raise Http404(_("The arena has no such game.")) from None


def list_or_404(arena: Arena, day: date) -> ArenaList:
    """Return the monthly list of a date."""
    found = ArenaList.objects.filter(arena=arena, date=day).select_related("arena").first()
    if found is None:
        raise Http404(_("The arena has no list of this date."))
    return found
