"""Monthly lists as they were published: rows, files, and which there are."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arenas.models import ArenaList, ArenaListEntry
from arenas.queries.ranking import Row, row_of


def rows_of(arena_list: ArenaList) -> list[Row]:
    """Return the rows of a list in the order of the arena's categories, then of their places."""
    arena = arena_list.arena
    entries = ArenaListEntry.objects.filter(arena_list=arena_list).order_by("category", "place")
    found = entries.values_list("handle", "category", "hundredths", "games")
    rows = [row_of(arena, handle, category, (rating, games)) for handle, category, rating, games in found]
    # A stable sort: a category that the arena no longer has stands at the end.
    order = {name: place for place, name in enumerate(arena.categories)}
    return sorted(rows, key=lambda row: order.get(row.category, len(order)))


def to_json(rows: Sequence[Row]) -> str:
    """Return rows as `arena_list` prints them, the bytes of a list's JSON file."""
    return json.dumps([row.as_json() for row in rows], ensure_ascii=False) + "\n"
