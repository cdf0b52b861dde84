"""The template library `staff`: lists due, work that failed or is under way, registrations that wait.

Shown at the top of the admin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django import template
from django.db.models import Count
from django.utils import timezone

from core.errors import Refusal
from ratings.choices import RunState
from ratings.models import RatingList, Run
from ratings.queries.list_calendar import list_calendars
from ratings.services.publication.publish import PUBLISHED_KINDS, publication_refusals
from tournaments.queries.desk import qc_queue

LAST_FAILED = 5
register = template.Library()


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of the portal in a few figures; `due_lists` is the month whose lists are missing.

    `verified` are the keys of those of the newest lists that were recalculated without a difference.
    `refusals` say why the portal does not publish the lists that are due by itself.
    """

    due_lists: date | None
    refusals: Sequence[Refusal]
    newest: Sequence[RatingList]
    verified: frozenset[int]
    runs: dict[str, int]
    failed: Sequence[Run]
    oldest_due: datetime | None
    waiting: int


@register.simple_tag
def staff_overview() -> Overview:
    """Return what needs staff today."""
    newest = [found for kind in PUBLISHED_KINDS if (found := RatingList.objects.latest_of(kind))]
    open_states = [RunState.DUE, RunState.RUNNING, RunState.FAILED]
    counted = (
        Run.objects.filter(state__in=open_states).order_by().values_list("state").annotate(number=Count("pk"))
    )
    due = Run.objects.filter(state=RunState.DUE).order_by("created_at")
    today = timezone.now().date()
    lists = list_calendars(today)
    month = lists.due_month(PUBLISHED_KINDS)
    return Overview(
        due_lists=month,
        refusals=publication_refusals(month, today=today) if month else [],
        newest=newest,
        verified=frozenset(item.pk for item in newest if item.date in lists.of(item.kind).verified),
        runs=dict(counted),
        failed=list(Run.objects.filter(state=RunState.FAILED).order_by("-finished_at", "-pk")[:LAST_FAILED]),
        oldest_due=due.values_list("created_at", flat=True).first(),
        waiting=qc_queue().count(),
    )
