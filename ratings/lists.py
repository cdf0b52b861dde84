"""The lists of the portal, as pages, ratings and publications read them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import date, timedelta
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Count, Max
from django.db.models.signals import pre_save
from django.dispatch import receiver

from core.errors import Refusal, stated_refusal
from core.sql import lock_until_commit
from core.stated import join_stated
from players.models import Federation, FederationExclusion
from ratings.choices import PUBLISHED_KINDS, SENTENCES, ListKind, Origin
from ratings.models import RatingList, TournamentRating
from tournaments.hooks import existing_lists, lists_that_took
from tournaments.lists import Lists

# The manifest names every report of a month: too much for a page that shows only a date.
LARGE = ("manifest", "signature")
NEWS_FOR = timedelta(days=4)
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


# So long before its day a list may be there already.
DAYS_AHEAD = 7


def new_lists(lists: Lists[RatingList], today: date) -> list[RatingList]:
    """Return the newest list of each kind that was published in these days: it is news."""
    return [one for one in lists.newest_of_each() if is_published(one) and today - one.date < NEWS_FOR]


def date_refusals(list_date: date, *, today: date) -> list[Refusal]:
    """Return why no list can bear a date: not the first of a month (6.1), or later than today (D-70)."""
    if list_date.day != 1:
        return [stated_refusal(SENTENCES, "list-date-6.1", "date")]
    if list_date <= today:
        return []
    said = [SENTENCES.say("future-list-D-70", date=list_date, today=today)]
    if (meant := list_date.replace(year=today.year)) <= today:
        said.append(SENTENCES.say("probably-meant", meant=meant))
    elif (list_date - today).days <= DAYS_AHEAD:
        # FIDE publishes the list of the 1st the day before.
        said.append(SENTENCES.say("from-its-day"))
    return [Refusal("future-list-D-70", join_stated(said), "date")]


# The letters RATE, so that no other lock has the number.
LISTS = 0x52415445
# The fields of federations and exclusions that say whose players are listed (9.1).
WHO_IS_LISTED = {"is_member", "listing_reference", "until"}


def lock_lists() -> None:
    """Lock the lists of all kinds until the end of the transaction."""
    lock_until_commit(LISTS)


def lock_kind(kind: str, *, waits: bool) -> bool:
    """Lock the lists of a kind for publishing and importing until the end of the transaction.

    Return False if another process has the lock and the caller does not wait.
    """
    # SQLite has one writer in any case.
    if connection.vendor != "postgresql":
        return True
    place = ListKind.values.index(kind)
    with connection.cursor() as cursor:
        if not waits:
            free = "SELECT pg_try_advisory_xact_lock_shared(%s) AND pg_try_advisory_xact_lock(%s, %s)"
            cursor.execute(free, [LISTS, LISTS, place])
            return bool(cursor.fetchone()[0])
        # Shared: the kinds go on side by side, and only `lock_lists` keeps all of them out.
        cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LISTS])
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LISTS, place])
    return True


def lock_kinds(kinds: Iterable[str]) -> None:
    """Lock the lists of some kinds as a publication does, to the end of the transaction; always in one order."""
    for kind in sorted(set(kinds)):
        lock_kind(kind, waits=True)


@receiver(pre_save, sender=FederationExclusion)
@receiver(pre_save, sender=Federation)
def wait_for_publications(update_fields: frozenset[str] | None = None, **kwargs: Any) -> None:
    """Let a change of whose players are listed wait for publications, which read that more than once (D-104)."""
    if update_fields is None or update_fields & WHO_IS_LISTED:
        lock_kinds(PUBLISHED_KINDS)
