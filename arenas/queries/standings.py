"""The live list of an arena, the arena, member or game that an address names, and what a member's page shows.

That is, beside the games, the course of a rating, other changes, and ratings over the board.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from datetime import UTC, date, datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from zlib import crc32

from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.choices import Cause
from arenas.models import Arena, ArenaList, ArenaListEntry, Change, Game, Member, Rating
from arenas.queries.games import Sentence, sentences
from arenas.systems import shown
from core.web.csv import csv_text
from ratings.choices import ListKind
from ratings.models import ListEntry
from ratings.queries.lists import read_lists

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

    def as_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values."""
        return asdict(self)


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
        return dict(_folded(ratings, at, start))
    wanted = f"{at.isoformat()} {ratings.query}"
    key = f"arena-as-of:{arena.pk}:{crc32(wanted.encode()) % KEPT_INSTANTS}"
    found = Change.objects.filter(rating__in=ratings, effective_at__lte=at)
    newest = found.aggregate(Count("pk"), Max("pk"), Max("recorded_at"))
    state = [wanted, *(str(value) for value in newest.values())]
    kept = cache.get(key)
    if kept is None or kept["state"] != state:
        made = [[pk, *figures] for pk, figures in _folded(ratings, at, start)]
        kept = {"state": state, "figures": made}
        cache.set(key, kept, KEPT_SECONDS)
    return {pk: (rating, games) for pk, rating, games in kept["figures"]}


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
    return json.dumps([row.as_json() for row in rows], ensure_ascii=False) + "\n"


HIGHEST = 2**63 - 1


def find_arena(slug: str) -> Arena:
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


RATED_ORDER = ("-hundredths", "member__handle")
UNRATED_ORDER = ("member__handle",)


@dataclass(frozen=True, slots=True)
class Activity:
    """How many are in an arena, and when its last game ended."""

    members: int
    last_game: datetime | None


def arenas_with_activity() -> QuerySet[Arena]:
    """Return all arenas with `member_count`, `last_game` and `newest_list`."""
    members = Member.objects.filter(arena=OuterRef("pk"), left=None).order_by().values("arena")
    games = Game.objects.filter(arena=OuterRef("pk")).order_by("-played_at").values("played_at")
    lists = ArenaList.objects.filter(arena=OuterRef("pk")).order_by("-date").values("date")
    return Arena.objects.annotate(
        member_count=Coalesce(Subquery(members.annotate(number=Count("pk")).values("number")), 0),
        last_game=Subquery(games[:1]),
        newest_list=Subquery(lists[:1]),
    ).order_by("slug")


def activity_of(arena: Arena) -> Activity:
    """Return how much an arena is used."""
    last = Game.objects.filter(arena=arena).aggregate(last=Max("played_at"))["last"]
    return Activity(Member.objects.filter(arena=arena, left=None).count(), last)


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


COMPARED = (ListKind.RAPID, ListKind.BLITZ)
MAX_POINTS = 200
RECENT = 20


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A change that is not the rating of a game, with its steps in words."""

    change: Change
    before: str | None
    after: str | None
    steps: Sequence[Sentence]


@dataclass(frozen=True, slots=True)
class BesideOverTheBoard:
    """An arena rating beside the one over the board; `month` is the date of the FIDE list."""

    category: str
    kind: str
    online: int | None
    over_the_board: int | None
    month: date

    @property
    def difference(self) -> int | None:
        """The online rating less the one over the board, None where one is missing."""
        if self.online is None or self.over_the_board is None:
            return None
        return self.online - self.over_the_board


def load_rating_course(member: Member, category: str) -> list[tuple[datetime, int | None]]:
    """Return the latest changes of a rating, oldest first: when, and the whole rating after it."""
    rows = Change.objects.filter(rating__member=member, rating__category=category).order_by("-number")
    found = rows.values_list("effective_at", "after")[:MAX_POINTS]
    return [(at, shown(after)) for at, after in reversed(found)]


def other_changes(arena: Arena, member: Member, category: str) -> list[ChangeShown]:
    """Return the latest changes that are no game's: first rating, days, FIDE lists, cancellations."""
    rows = Change.objects.filter(rating__member=member, rating__category=category).exclude(cause=Cause.GAME)
    return [describe_change(arena, row) for row in rows.select_related("game").order_by("-number")[:RECENT]]


def describe_change(arena: Arena, row: Change) -> ChangeShown:
    exact = arena.rules.exact
    return ChangeShown(row, exact(row.before), exact(row.after), sentences(arena.rules, row.steps))


def load_comparisons(arena: Arena, member: Member) -> list[BesideOverTheBoard]:
    """Return the member's ratings beside those on the newest FIDE lists; nothing for one who is no FIDE player."""
    if member.player_id is None:
        return []
    lists = [found for kind in COMPARED if (found := read_lists().newest(kind))]
    entries = ListEntry.objects.listed().filter(rating_list__in=lists, player=member.player_id)
    listed = dict(entries.values_list("rating_list_id", "rating"))
    online = {row.category: row.shown for row in ratings_of(arena, member)}
    return [
        BesideOverTheBoard(category, item.kind, online.get(category), listed.get(item.pk), item.date)
        for item in lists
        for category in arena.categories
        if category == item.kind or item.kind not in arena.categories
    ]
