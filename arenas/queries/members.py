"""A member of an arena: the course of a rating, changes that are no game's, ratings over the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.choices import Cause
from arenas.models import Arena, ArenaList, Change, Game, Member
from arenas.queries.sentences import Sentence, sentences
from arenas.queries.standings import ratings_of
from arenas.systems import whole_rating
from ratings.choices import ListKind
from ratings.models import ListEntry
from ratings.queries.lists import read_lists


def find_member(arena: Arena, number: int) -> Member | None:
    """Return an arena's member, with the FIDE player behind the handle."""
    return Member.objects.filter(arena=arena, pk=number).select_related("player").first()


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
    return [(at, whole_rating(after)) for at, after in reversed(found)]


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


# The arenas, each with how much it is used.
def find_arena(slug: str) -> Arena | None:
    # PostgreSQL refuses the character in a query, and addresses of the API may have any.
    return None if "\x00" in slug else Arena.objects.filter(slug=slug).first()


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
