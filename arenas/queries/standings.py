"""The live list of an arena, the arena, member or game that an address names, and what a member's page shows.

That is, beside the games, the course of a rating, other changes, and ratings over the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.choices import Cause
from arenas.models import Arena, ArenaList, Change, Game, Member, Rating
from arenas.queries.games import Sentence, sentences
from arenas.queries.ranking import ratings_of
from arenas.systems import shown
from ratings.choices import ListKind
from ratings.models import ListEntry
from ratings.queries.catalogue import catalogue

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
class Comparison:
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
    """Return a change as it is shown."""
    exact = arena.rules.exact
    return ChangeShown(row, exact(row.before), exact(row.after), sentences(arena.rules, row.steps))


def load_comparisons(arena: Arena, member: Member) -> list[Comparison]:
    """Return the member's ratings beside those on the newest FIDE lists; nothing for one who is no FIDE player."""
    if member.player_id is None:
        return []
    lists = [found for kind in COMPARED if (found := catalogue().newest(kind))]
    entries = ListEntry.objects.listed().filter(rating_list__in=lists, player=member.player_id)
    listed = dict(entries.values_list("rating_list_id", "rating"))
    online = {row.category: row.shown for row in ratings_of(arena, member)}
    return [
        Comparison(category, item.kind, online.get(category), listed.get(item.pk), item.date)
        for item in lists
        for category in arena.categories
        if category == item.kind or item.kind not in arena.categories
    ]
