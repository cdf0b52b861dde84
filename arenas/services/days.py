"""The end of a day in an arena, once a day and never twice, and the monthly lists that follow from it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import Q

from arenas.choices import Cause, RatingSystem
from arenas.models import Arena, ArenaList, ArenaListEntry, Member
from arenas.queries.ranking import Ranked, ranked, rows_of, to_json
from arenas.services.ledger import BATCH, Ledger, Seat, end_of, start_of
from core.bulk import batched, ids_subquery, write_rows
from ratings.choices import Origin
from ratings.models import RatingList
from ratings.services.publication.publish import PUBLISHED_KINDS

ONE_DAY = timedelta(days=1)
COLUMNS = ("arena_list", "category", "place", "member", "handle", "hundredths", "games")


def publish_due_lists(arena: Arena, *, at: datetime) -> list[ArenaList]:
    """Publish the lists of an arena that are due, oldest first, and return them.

    A list is due when the day before its date is ended. In an arena of `foa-rbb` it waits for the portal's FIDE
    lists of its date, which change ratings (3.15), to the end of its first day. Months are made up from the newest
    list on; the first list of an arena is that of the latest month.
    """
    with transaction.atomic():
        locked = Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
        return [_publish(locked, day, at=at) for day in _due(locked, at.date())]


def _due(arena: Arena, today: date) -> list[date]:
    joined = arena.members.order_by("joined").values_list("joined", flat=True).first()
    if arena.day_done is None or joined is None:
        return []
    last = min(today, arena.day_done + ONE_DAY).replace(day=1)
    newest = ArenaList.objects.filter(arena=arena).order_by("-date").values_list("date", flat=True).first()
    months = _months(_next(newest), last) if newest else iter([last])
    return [month for month in months if month >= joined and _is_settled(arena, month)]


def _is_settled(arena: Arena, month: date) -> bool:
    if arena.system != RatingSystem.FOA_RBB or (arena.day_done is not None and arena.day_done >= month):
        return True
    published = RatingList.objects.filter(date=month, origin=Origin.PUBLISHED, kind__in=PUBLISHED_KINDS)
    return published.count() == len(PUBLISHED_KINDS)


def _publish(arena: Arena, month: date, *, at: datetime) -> ArenaList:
    made = ArenaList.objects.create(arena=arena, date=month, published_at=at)
    entries = ranked(arena, at=start_of(month))
    write_rows(ArenaListEntry, COLUMNS, _entries(made, entries))
    made.listed = sum(entry.figures[0] is not None for entry in entries)
    made.sha256 = hashlib.sha256(to_json(rows_of(made)).encode()).hexdigest()
    made.save(update_fields=["listed", "sha256"])
    return made


def _entries(made: ArenaList, entries: Iterable[Ranked]) -> Iterator[tuple[object, ...]]:
    for category, rows in groupby(entries, key=lambda entry: entry.category):
        for place, row in enumerate(rows, start=1):
            yield (made.pk, category, place, row.member_id, row.handle, *row.figures)


def _months(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first = _next(first)


def _next(month: date) -> date:
    return (month + timedelta(days=31)).replace(day=1)


def end_arena_day(arena: Arena, day: date, *, at: datetime) -> int:
    """End a day for every member, days that were missed made up first; return the number of changes.

    A day at the end of a month has the monthly list published.
    Each batch of members is a transaction of its own: what was interrupted goes on with the next call.
    """
    pks = Member.objects.filter(arena=arena).order_by("pk").values_list("pk", flat=True)
    changes = sum(_end_day(arena, batch, day, at=at) for batch in batched(list(pks), BATCH))
    not_done = Q(day_done=None) | Q(day_done__lt=day)
    Arena.objects.filter(not_done, pk=arena.pk).update(day_done=day)
    publish_due_lists(arena, at=at)
    return changes


def end_yesterday(*, at: datetime) -> None:
    """End the day that is over, in every arena."""
    yesterday = at.date() - timedelta(days=1)
    for arena in Arena.objects.order_by("pk"):
        end_arena_day(arena, yesterday, at=at)


@transaction.atomic
def _end_day(arena: Arena, member_ids: Sequence[int], day: date, *, at: datetime) -> int:
    ledger = Ledger(arena, at=at)
    ledger.lock(Member.objects.filter(pk__in=ids_subquery(member_ids)))
    for seat in ledger.seats():
        _end_days_of(ledger, seat, day)
    return ledger.save()


def _end_days_of(ledger: Ledger, seat: Seat, day: date) -> None:
    """Let every day on which something happens have its own change, at the end of that day."""
    outcome = ledger.rules.end_day(seat.state, day)
    if outcome.state == seat.state:
        return
    for due in [date.fromisoformat(str(step.figures["day"])) for step in outcome.steps]:
        ledger.move(seat, ledger.rules.end_day(seat.state, due), Cause.DAY, on=end_of(due))
    ledger.move(seat, ledger.rules.end_day(seat.state, day), Cause.DAY, on=end_of(day))
    seat.settle((end_of(day), ""))
