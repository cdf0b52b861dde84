"""Lists on demand, at present or at an instant, and monthly lists as they were published."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from arenas.models import Arena, ArenaList, ArenaListEntry, Change, Member, Rating
from arenas.systems import shown
from core.web.csv import csv_text

Figures = tuple[int | None, int]


@dataclass(frozen=True, slots=True)
class Row:
    """A member on a list; `rating` is the exact decimal text, None for an unrated member."""

    handle: str
    category: str
    rating: str | None
    shown: int | None
    games: int
    provisional: bool

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values."""
        return asdict(self)


class Ranked(NamedTuple):
    """A member's place in the order of a list: rating in hundredths and games."""

    member_id: int
    handle: str
    category: str
    figures: Figures


def arena_list(arena: Arena, *, category: str | None = None, at: datetime | None = None) -> list[Row]:
    """Return the list by category, then rating falling, unrated members last, then handle by code point.

    `at` gives the ratings with every game, day and list up to and including that instant, of those who had
    joined by then.
    """
    return [
        row_of(arena, entry.handle, entry.category, entry.figures)
        for entry in ranked(arena, category=category, at=at)
    ]


def ranked(arena: Arena, *, category: str | None = None, at: datetime | None = None) -> list[Ranked]:
    """Return what `arena_list` shows, with the members' keys and the exact figures."""
    categories = [name for name in arena.categories if category in (None, name)]
    ratings = Rating.objects.filter(member__arena=arena, category__in=categories)
    entries = _figures_now(ratings) if at is None else _figures_at(arena, ratings, at)
    return sorted(
        entries,
        key=lambda entry: (categories.index(entry.category), *_falling(entry.figures[0]), entry.handle),
    )


def ratings_of(arena: Arena, member: Member) -> list[Row]:
    """Return a member's live ratings in the order of the arena's categories."""
    rows = Rating.objects.filter(member=member, category__in=arena.categories)
    figures = {row.category: (row.hundredths, row.games) for row in rows}
    return [
        row_of(arena, str(member.handle), name, figures[name]) for name in arena.categories if name in figures
    ]


def as_csv(rows: Iterable[Row]) -> str:
    """Return rows as CSV; the rating of an unrated member is empty."""
    return csv_text([[field.name for field in fields(Row)], *map(astuple, rows)])


def row_of(arena: Arena, handle: str, category: str, figures: Figures) -> Row:
    """Return a member as a list shows one."""
    hundredths, games = figures
    return Row(
        handle=handle,
        category=category,
        rating=arena.rules.exact(hundredths),
        shown=shown(hundredths),
        games=games,
        provisional=arena.rules.is_provisional(games),
    )


def _falling(hundredths: int | None) -> tuple[bool, int]:
    return hundredths is None, -(hundredths or 0)


def _figures_now(ratings: QuerySet[Rating]) -> Iterator[Ranked]:
    rows = ratings.filter(member__left=None)
    columns = rows.values_list("member_id", "member__handle", "category", "hundredths", "games")
    for member_id, handle, category, hundredths, games in columns:
        yield Ranked(member_id, handle, category, (hundredths, games))


def _figures_at(arena: Arena, ratings: QuerySet[Rating], at: datetime) -> Iterator[Ranked]:
    day = at.astimezone(UTC).date()
    there = Q(member__joined__lte=day) & (Q(member__left=None) | Q(member__left__gt=day))
    newcomer = arena.rules.newcomer
    start = (arena.rules.hundredths(newcomer), newcomer.games)
    changed = dict(_folded(ratings, at, start))
    rows = ratings.filter(there).values_list("pk", "member_id", "member__handle", "category")
    for pk, member_id, handle, category in rows:
        yield Ranked(member_id, handle, category, changed.get(pk, start))


def _folded(ratings: QuerySet[Rating], at: datetime, start: Figures) -> Iterator[tuple[int, Figures]]:
    """Yield the figures of each rating after the changes that were effective by an instant."""
    changes = (
        Change.objects.filter(rating__in=ratings, effective_at__lte=at)
        .order_by("rating", "number")
        .values_list("rating_id", "before", "games_before", "after", "games_after")
    )
    for rating_id, rows in groupby(changes.iterator(), key=itemgetter(0)):
        yield rating_id, _after(start, (row[1:] for row in rows))


def _after(figures: Figures, changes: Iterable[tuple[int | None, int, int | None, int]]) -> Figures:
    """Return the figures after changes in the order of their making.

    A change that was made on top of what came later (a late game, a list published after its date) adds the same
    difference here.
    """
    for before, games_before, after, games_after in changes:
        rating, games = figures
        if rating is None or before is None or after is None:
            rating = after
        else:
            rating += after - before
        figures = (
            rating,
            games_after if after is None or before is None else games + games_after - games_before,
        )
    return figures


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
