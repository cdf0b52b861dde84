"""The arenas, each with how much it is used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.models import Arena, ArenaList, Game, Member


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
