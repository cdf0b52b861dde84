"""What an imported list must not make the portal forget of players who are not on it (D-12, D-15)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, Q

from core.bulk import write_rows
from players.models import Player
from players.queries.federations import unlisted_codes
from ratings.choices import EntryStatus as StoredStatus
from ratings.choices import Origin
from ratings.models import ListEntry, PoolEvent, RatingList
from ratings.services.imports.people import PERSON, WIDTH
from ratings.services.publication.entries import ROW_FIELDS, entry_values
from ratings.services.publication.periods import ENTRY_FIELDS, entry_from
from ratings.systems.otb.listing import Entry, EntryStatus

REMEMBERED = (StoredStatus.WITHHELD, StoredStatus.UNRATED)


def remember(rating_list: RatingList) -> int:
    """Write the entries of those on the list before who are gone from this one; return how many there are.

    Who is withheld stays so, with the rating; who has reached 2300 or 2400 and is unrated now has reached it.
    """
    if rating_list.previous_id is None:
        return 0
    return write_rows(ListEntry, ROW_FIELDS, list(_rows(rating_list)))


def close_pools(rating_list: RatingList) -> None:
    """A rating of any origin empties the pool: those of the players listed are closed by the list (7.2)."""
    listed = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player")).listed()
    pools = PoolEvent.objects.filter(Exists(listed), kind=rating_list.kind, closed_by=None)
    pools.update(closed_by=rating_list)


def clear_entries(rating_list: RatingList) -> None:
    """Undo what an imported list has written, so that its date can be read in again."""
    PoolEvent.objects.filter(closed_by=rating_list).update(closed_by=None)
    ListEntry.objects.filter(rating_list=rating_list).delete()


def inform_following(rating_list: RatingList) -> None:
    """Let later imported lists know what this one knows, so that the order of imports makes no difference."""
    previous = rating_list
    following = RatingList.objects.filter(kind=rating_list.kind, date__gt=rating_list.date)
    for later in following.filter(origin=Origin.IMPORTED).order_by("date"):
        later.previous = previous
        later.save(update_fields=["previous"])
        _infer_again(later)
        previous = later


def _infer_again(rating_list: RatingList) -> None:
    entries = ListEntry.objects.filter(rating_list=rating_list)
    entries.filter(status__in=REMEMBERED).delete()
    before = ListEntry.objects.filter(rating_list=rating_list.previous_id, player=OuterRef("player"))
    entries.filter(Exists(before.filter(reached_2300=True))).update(reached_2300=True)
    entries.filter(Exists(before.filter(reached_2400=True))).update(reached_2400=True)
    entries.filter(is_inactive=True).update(last_played=before.values("last_played"))
    remember(rating_list)


def _rows(rating_list: RatingList) -> Iterator[tuple[Any, ...]]:
    unlisted = unlisted_codes(rating_list.date)
    here = ListEntry.objects.filter(rating_list=rating_list, player=OuterRef("player"))
    of_unlisted = Player.objects.filter(federation__in=unlisted).order_by()
    counts = Q(status__in=REMEMBERED) | (
        Q(status=StoredStatus.LISTED)
        & (Q(reached_2300=True) | Q(reached_2400=True) | Q(player__in=of_unlisted.values("pk")))
    )
    gone = ListEntry.objects.filter(counts, ~Exists(here), rating_list=rating_list.previous_id).order_by()
    person = (f"player__{name}" if name != "fide_id" else "player_id" for name in PERSON)
    for values in gone.values_list(*person, *ENTRY_FIELDS):
        entry = _remembered(entry_from(values[WIDTH:]), is_unlisted=values[2] in unlisted)
        yield (rating_list.pk, *values[:WIDTH], *entry_values(entry))


def _remembered(entry: Entry, *, is_unlisted: bool) -> Entry:
    if entry.status is EntryStatus.LISTED and is_unlisted:
        return entry._replace(status=EntryStatus.WITHHELD, games=0)
    if entry.status is EntryStatus.LISTED:
        return Entry(EntryStatus.UNRATED, reached_2300=entry.reached_2300, reached_2400=entry.reached_2400)
    return entry._replace(games=0)
