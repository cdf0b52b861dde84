"""The end of an arena's days: what a day without a game changes (FOA 3.4, 3.5)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from arenas.choices import Cause
from arenas.ledger import BATCH, Ledger, MemberRating, start_of
from arenas.models import Arena, Member
from arenas.monthly_lists import publish_due_lists
from core.bulk import batched
from core.errors import refused
from core.sql import ids_subquery


def end_of(day: date) -> datetime:
    """Return the instant at which a day is over: 00:00 UTC of the next."""
    # Days are those of UTC, for every arena and server.
    return start_of(day) + timedelta(days=1)


def end_arena_day(arena: Arena, day: date, *, at: datetime) -> int:
    """End a day for every member, missed days first; return the number of changes.

    The last day of a month publishes the monthly list.
    Each batch of members is one transaction: after an interruption the next call continues. `RefusedError` for a day
    that has not come: its games are still to be played, and a day that is done is not done again.
    """
    if day > at.date():
        raise refused("day-to-come", _("%(day)s has not come yet.") % {"day": day.isoformat()}, "date")
    # In the order of keys: two workers must not each hold members that the other waits for.
    pks = Member.objects.filter(arena=arena).order_by("pk").values_list("pk", flat=True)
    changes = sum(_end_day(arena, batch, day, at=at) for batch in batched(list(pks), BATCH))
    not_done = Q(day_done=None) | Q(day_done__lt=day)
    # Never back, where an earlier day is ended once more.
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


def _end_days_of(ledger: Ledger, seat: MemberRating, day: date) -> None:
    """Record a separate change for every day with an effect, at the end of that day."""
    outcome = ledger.rules.end_day(seat.state, day)
    if outcome.state == seat.state:
        return
    for due in [date.fromisoformat(str(step.figures["day"])) for step in outcome.steps]:
        ledger.move(seat, ledger.rules.end_day(seat.state, due), Cause.DAY, on=end_of(due))
    ledger.move(seat, ledger.rules.end_day(seat.state, day), Cause.DAY, on=end_of(day))
    seat.settle((end_of(day), ""))
