"""The live list of an arena, and the arena, member or game that an address names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.models import Arena, ArenaList, Game, Member, Rating

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
