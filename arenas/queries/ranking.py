"""Lists on demand: every member's rating as it stands, or as it stood at an instant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Q, QuerySet

from arenas.models import Arena, Change, Rating
from arenas.systems import shown

Figures = tuple[int | None, int]
Entry = tuple[str, str, Figures]


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


def arena_list(arena: Arena, *, category: str | None = None, at: datetime | None = None) -> list[Row]:
    """Return the list by category, then rating falling, unrated members last, then handle by code point.

    `at` gives the ratings with every game, day and list up to and including that instant, of those who had
    joined by then.
    """
    categories = [name for name in arena.rules.categories if category in (None, name)]
    ratings = Rating.objects.filter(member__arena=arena, category__in=categories)
    figures = _figures_now(ratings) if at is None else _figures_at(arena, ratings, at)
    ranked = sorted(figures, key=lambda item: (categories.index(item[1]), _falling(item[2][0]), item[0]))
    return [_row(arena, *item) for item in ranked]


def _row(arena: Arena, handle: str, category: str, figures: Figures) -> Row:
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


def _figures_now(ratings: QuerySet[Rating]) -> Iterator[Entry]:
    rows = ratings.filter(member__left=None).values_list("member__handle", "category", "hundredths", "games")
    for handle, category, hundredths, games in rows:
        yield handle, category, (hundredths, games)


def _figures_at(arena: Arena, ratings: QuerySet[Rating], at: datetime) -> Iterator[Entry]:
    day = at.astimezone(UTC).date()
    there = Q(member__joined__lte=day) & (Q(member__left=None) | Q(member__left__gt=day))
    newcomer = arena.rules.newcomer
    start = (arena.rules.hundredths(newcomer), newcomer.games)
    changed = dict(_folded(ratings, at, start))
    for pk, handle, category in ratings.filter(there).values_list("pk", "member__handle", "category"):
        yield handle, category, changed.get(pk, start)


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
