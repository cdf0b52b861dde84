"""The lists of the portal, as pages, ratings and publications read them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Count, Max

from ratings.choices import Origin
from ratings.models import RatingList, TournamentRating
from tournaments.hooks import existing_lists, lists_that_took
from tournaments.lists import Lists

# The manifest names every report of a month: too much for a page that shows only a date.
LARGE = ("manifest", "signature")
Found = TypeVar("Found")

# The lists as this process read them last, by the name of the database.
_READ: dict[str, Lists[RatingList]] = {}


@existing_lists.answered_by
def read_lists() -> Lists[RatingList]:
    """Return all lists without their manifests, by one query of one row unless a list appeared or went."""
    # Tests give a process more than one database.
    name = str(connection.settings_dict["NAME"])
    known = _READ.get(name)
    if known is None or _state_of(known) != _state_in_database():
        known = _READ[name] = Lists(RatingList.objects.defer("manifest").order_by("-date", "kind"))
    return known


# By one statement, since every reader of a kept page waits for it. A list that is taken back changes it, too.
NUMBER = """SELECT COUNT(*), MAX(id), MAX(published_at), (SELECT MAX(id) FROM ratings_correction)
FROM ratings_ratinglist"""


def pages_number() -> str:
    """Return what a publication, an import and a confirmed correction change: pages kept before are not found again."""
    with connection.cursor() as cursor:
        cursor.execute(NUMBER)
        return str(cursor.fetchone())


def forget_lists() -> None:
    """Read the lists again: for tests, which roll back what they wrote."""
    _READ.clear()


def _state_of(lists: Lists[RatingList]) -> tuple[Any, ...]:
    """Return what differs as soon as a list is published, imported or removed: how many, last key, last instant."""
    return len(lists.by_id), max(lists.by_id, default=None), lists.changed_at


def _state_in_database() -> tuple[Any, ...]:
    return tuple(RatingList.objects.aggregate(Count("pk"), Max("pk"), Max("published_at")).values())


def read_undivided(read: Callable[[Lists[RatingList]], Found]) -> Found:
    """Return `read(lists)`. Repeat if a list was published during the read.

    For pages that show lists and tournaments, which a publication changes together.
    """
    lists = read_lists()
    found = read(lists)
    now = read_lists()
    return found if now.version == lists.version else read(now)


@lists_that_took.answered_by
def dates_of_taken(tournaments: Collection[int]) -> dict[int, date]:
    """Return the date of the list on which each of the tournaments is, by its key."""
    ratings = TournamentRating.objects.filter(report__tournament__in=tournaments, included_in__isnull=False)
    return dict(ratings.order_by("pk").values_list("report__tournament", "included_in__date"))


def is_published(rating_list: RatingList) -> bool:
    """Return whether the portal calculated the list, so that it has files and calculations."""
    return rating_list.origin == Origin.PUBLISHED
