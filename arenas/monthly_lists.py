"""The monthly lists of an arena, published with its days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from itertools import groupby, takewhile

from django.db import transaction

from arenas.choices import RatingSystem
from arenas.ledger import start_of
from arenas.models import Arena, ArenaList, ArenaListEntry
from arenas.standings import Ranked, rank_members, rows_of, to_json
from core.bulk import write_rows
from core.digests import sha256_of
from ratings.choices import PUBLISHED_KINDS, Origin
from ratings.models import RatingList
from tournaments.list_dates import lists_after

ONE_DAY = timedelta(days=1)
COLUMNS = ("arena_list", "category", "place", "member", "handle", "hundredths", "games")


def publish_due_lists(arena: Arena, *, at: datetime) -> list[ArenaList]:
    """Publish the lists of an arena that are due, oldest first, and return them.

    A list is due when the day before its date is ended. In an arena of `foa-rbb` it waits for the portal's FIDE
    lists of its date, which change ratings (3.15), to the end of its first day. Months are made up from the newest
    list on; the first list of an arena is that of the latest month.
    """
    with transaction.atomic():
        # Two workers that end the same day publish a list once; games are recorded meanwhile.
        locked = Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
        return [_publish(locked, day, at=at) for day in _due(locked, at.date())]


def _due(arena: Arena, today: date) -> list[date]:
    joined = arena.members.order_by("joined").values_list("joined", flat=True).first()
    if arena.day_done is None or joined is None:
        return []
    # A day may be ended by hand before it is over: its month is not published yet.
    last = min(today, arena.day_done + ONE_DAY).replace(day=1)
    newest = ArenaList.objects.filter(arena=arena).order_by("-date").values_list("date", flat=True).first()
    months = takewhile(lambda month: month <= last, lists_after(newest)) if newest else iter([last])
    return [month for month in months if month >= joined and _is_settled(arena, month)]


def _is_settled(arena: Arena, month: date) -> bool:
    if arena.system != RatingSystem.FOA_RBB or (arena.day_done is not None and arena.day_done >= month):
        return True
    published = RatingList.objects.filter(date=month, origin=Origin.PUBLISHED, kind__in=PUBLISHED_KINDS)
    return published.count() == len(PUBLISHED_KINDS)


def _publish(arena: Arena, month: date, *, at: datetime) -> ArenaList:
    made = ArenaList.objects.create(arena=arena, date=month, published_at=at)
    entries = rank_members(arena, at=start_of(month))
    write_rows(ArenaListEntry, COLUMNS, _entries(made, entries))
    made.listed = sum(entry.figures[0] is not None for entry in entries)
    # Of the bytes that the page hands out: with them anybody can compare a download.
    made.sha256 = sha256_of(to_json(rows_of(made)).encode())
    made.save(update_fields=["listed", "sha256"])
    return made


def _entries(made: ArenaList, entries: Iterable[Ranked]) -> Iterator[tuple[object, ...]]:
    for category, rows in groupby(entries, key=lambda entry: entry.category):
        for place, row in enumerate(rows, start=1):
            yield (made.pk, category, place, row.member_id, row.handle, *row.figures)
