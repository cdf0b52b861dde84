"""The end of a day in an arena: what the system takes from ratings, once a day and never twice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Q

from arenas.choices import Cause
from arenas.models import Arena, Member
from arenas.services.ledger import Ledger, Seat, end_of
from arenas.services.lists import publish_due_lists
from arenas.services.storing import BATCH
from core.bulk import among, batched


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
    ledger.lock(Member.objects.filter(pk__in=among(member_ids)))
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
