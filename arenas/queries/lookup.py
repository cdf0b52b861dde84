"""Looking up what an address names; LookupError where it names nothing."""

from __future__ import annotations

from arenas.models import Arena, Game, Member

HIGHEST = 2**63 - 1


def find_arena(slug: str) -> Arena:
    """Return the arena of a slug."""
    found = Arena.objects.filter(slug=slug).first() if "\x00" not in slug else None
    if found is None:
        raise LookupError(slug)
    return found


def find_member(arena: Arena, number: int) -> Member:
    """Return an arena's member, with the FIDE player behind the handle."""
    rows = Member.objects.filter(arena=arena).select_related("player")
    found = rows.filter(pk=number).first() if number <= HIGHEST else None
    if found is None:
        raise LookupError(number)
    return found


def find_game(arena: Arena, number: int) -> Game:
    """Return an arena's game with its members."""
    rows = Game.objects.filter(arena=arena).select_related("white", "black")
    found = rows.filter(pk=number).first() if number <= HIGHEST else None
    if found is None:
        raise LookupError(number)
    return found
