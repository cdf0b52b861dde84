"""The list of an arena: as it is now, as of any instant, and as it was published for a month."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from zlib import crc32

from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Max, Q, QuerySet

from arenas.models import Arena, ArenaList, ArenaListEntry, Change, Member, Rating
from arenas.systems import whole_rating
from core.web.csv import csv_text

Figures = tuple[int | None, int]
# So many lists of past instants are kept of an arena, a day at most.
KEPT_INSTANTS, KEPT_SECONDS = 32, 24 * 3600


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A member on a list; `rating` is the exact decimal text, None for an unrated member."""

    handle: str
    category: str
    rating: str | None
    shown: int | None
    games: int
    provisional: bool


class Ranked(NamedTuple):
    """A member's place in the order of a list: rating in hundredths and games."""

    member_id: int
    handle: str
    category: str
    figures: Figures


def arena_list(arena: Arena, *, category: str | None = None, at: datetime | None = None) -> list[StandingRow]:
    """Return the list by category, then rating falling, unrated members last, then handle by code point.

    `at` gives the ratings with every game, day and list up to and including that instant, of those who had
    joined by then.
    """
    return [
        row_of(arena, entry.handle, entry.category, entry.figures)
        for entry in rank_members(arena, category=category, at=at)
    ]


def rank_members(arena: Arena, *, category: str | None = None, at: datetime | None = None) -> list[Ranked]:
    """Return what `arena_list` shows, with the members' keys and the exact figures."""
    categories = [name for name in arena.categories if category in (None, name)]
    ratings = Rating.objects.filter(member__arena=arena, category__in=categories)
    entries = _figures_now(ratings) if at is None else _figures_at(arena, ratings, at)

    def place(entry: Ranked) -> tuple[int, bool, int, str]:
        hundredths = entry.figures[0]
        return categories.index(entry.category), hundredths is None, -(hundredths or 0), entry.handle

    return sorted(entries, key=place)


def ratings_of(arena: Arena, member: Member) -> list[StandingRow]:
    """Return a member's live ratings in the order of the arena's categories."""
    rows = Rating.objects.filter(member=member, category__in=arena.categories)
    figures = {row.category: (row.hundredths, row.games) for row in rows}
    return [
        row_of(arena, str(member.handle), name, figures[name]) for name in arena.categories if name in figures
    ]


def as_csv(rows: Iterable[StandingRow]) -> str:
    """Return rows as CSV; the rating of an unrated member is empty."""
    return csv_text([[field.name for field in fields(StandingRow)], *map(astuple, rows)])


def row_of(arena: Arena, handle: str, category: str, figures: Figures) -> StandingRow:
    """Return a member as a list shows one."""
    hundredths, games = figures
    return StandingRow(
        handle=handle,
        category=category,
        rating=arena.rules.exact(hundredths),
        shown=whole_rating(hundredths),
        games=games,
        provisional=arena.rules.is_provisional(games),
    )


def _figures_now(ratings: QuerySet[Rating]) -> Iterator[Ranked]:
    # Whoever left is on the lists of the past, and not on the one of now.
    rows = ratings.filter(member__left=None)
    columns = rows.values_list("member_id", "member__handle", "category", "hundredths", "games")
    for member_id, handle, category, hundredths, games in columns:
        yield Ranked(member_id, handle, category, (hundredths, games))


def _figures_at(arena: Arena, ratings: QuerySet[Rating], at: datetime) -> Iterator[Ranked]:
    day = at.astimezone(UTC).date()
    there = Q(member__joined__lte=day) & (Q(member__left=None) | Q(member__left__gt=day))
    newcomer = arena.rules.newcomer
    start = (arena.rules.hundredths(newcomer), newcomer.games)
    columns = ("pk", "member_id", "member__handle", "category", "hundredths", "games", "settled_at")
    rows = list(ratings.filter(there).values_list(*columns))
    # Where nothing happened since, the present ratings are those of the instant: the list of a day that has just ended
    # reads no change. A cancellation is effective when it is made, and settles nothing.
    is_past = any(settled is not None and settled > at for *_row, settled in rows)
    is_past = is_past or arena.games.filter(cancelled_at__gt=at).exists()
    changed = _kept_at(arena, ratings, at, start) if is_past else None
    for pk, member_id, handle, category, hundredths, games, _settled in rows:
        figures = (hundredths, games) if changed is None else changed.get(pk, start)
        yield Ranked(member_id, handle, category, figures)


def _kept_at(arena: Arena, ratings: QuerySet[Rating], at: datetime, start: Figures) -> dict[int, Figures]:
    """Return the figures of each rating at an instant, as they were made for an earlier request if they are the same.

    They are as long as no change up to the instant has been recorded since: changes are only ever added.
    """
    if connection.in_atomic_block:
        # Changes that may be taken back.
        return dict(_fold_changes(ratings, at, start))
    wanted = f"{at.isoformat()} {ratings.query}"
    key = f"arena-as-of:{arena.pk}:{crc32(wanted.encode()) % KEPT_INSTANTS}"
    found = Change.objects.filter(rating__in=ratings, effective_at__lte=at)
    newest = found.aggregate(Count("pk"), Max("pk"), Max("recorded_at"))
    state = [wanted, *(str(value) for value in newest.values())]
    kept = cache.get(key)
    if kept is None or kept["state"] != state:
        made = [[pk, *figures] for pk, figures in _fold_changes(ratings, at, start)]
        kept = {"state": state, "figures": made}
        cache.set(key, kept, KEPT_SECONDS)
    return {pk: (rating, games) for pk, rating, games in kept["figures"]}


def _fold_changes(ratings: QuerySet[Rating], at: datetime, start: Figures) -> Iterator[tuple[int, Figures]]:
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


def rows_of(arena_list: ArenaList) -> list[StandingRow]:
    """Return the rows of a list in the order of the arena's categories, then of their places."""
    arena = arena_list.arena
    entries = ArenaListEntry.objects.filter(arena_list=arena_list).order_by("category", "place")
    found = entries.values_list("handle", "category", "hundredths", "games")
    rows = [row_of(arena, handle, category, (rating, games)) for handle, category, rating, games in found]
    # A stable sort: a category that the arena no longer has comes last.
    order = {name: place for place, name in enumerate(arena.categories)}
    return sorted(rows, key=lambda row: order.get(row.category, len(order)))


def to_json(rows: Sequence[StandingRow]) -> str:
    """Return rows as `arena_list` prints them, the bytes of a list's JSON file."""
    return json.dumps([*map(asdict, rows)], ensure_ascii=False) + "\n"


def standings(arena: Arena, category: str, *, handle: str = "", is_rated: bool = True) -> QuerySet[Rating]:
    """Return the live ratings of a category, or those members who have none yet; `handle` is a part of one."""
    rows = Rating.objects.filter(member__arena=arena, member__left=None, category=category)
    rows = rows.filter(hundredths__isnull=not is_rated).select_related("member")
    return rows.filter(member__handle__icontains=handle) if handle else rows


def place_of(rating: Rating, arena: Arena) -> int:
    """Return the place of a rated member in the whole live list."""
    before = Q(hundredths__gt=rating.hundredths) | Q(
        hundredths=rating.hundredths, member__handle__lt=rating.member.handle
    )
    return standings(arena, rating.category).filter(before).count() + 1
