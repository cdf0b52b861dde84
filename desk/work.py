"""What a user has to do on a day, for the dashboard, and how much of it, for the rail of every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils import timezone

from players.choices import CaseState
from players.permissions import is_staff
from ratings.queries.lists import read_lists
from ratings.queries.staff_tasks import staff_tasks
from tournaments.lists import Lists
from tournaments.models import Appeal
from tournaments.permissions import can_decide, can_see_queue, for_user
from tournaments.queries.appeals import appeals_in
from tournaments.queries.case_tasks import case_tasks
from tournaments.queries.cases import QueueCase, cases
from tournaments.queries.desk import Desk, desk_of, desk_tasks
from tournaments.queries.desk_tasks import DeskTask

# What others do is counted this much later at most; what a user does at the desk, at once.
COUNTED_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Work:
    """The tasks of all roles of a user, the fewest days left first, and what they are made of.

    `cases` and `appeals` are all that are open, for users who see the queue of the QC.
    """

    tasks: Sequence[DeskTask]
    desk: Desk
    lists: Lists[Any]
    cases: Sequence[QueueCase]
    appeals: Sequence[Appeal]


def work_of(user: Any, *, today: date, month: date | None = None) -> Work:
    """Return what a user has to do; the tournaments of `month` are those of the one that begins on that day."""
    lists = read_lists()
    found = _cases(user, lists, today)
    appeals = list(_appeals(user).order_by("asked_at", "pk"))
    desk = desk_of(user, lists, today=today, month=month)
    tasks = _tasks(user, desk.tasks, found, lists, today)
    tournaments = sum(number for _state, number in desk.counts)
    # The rail of the same page shows them: it need not count again.
    keep_counts(user, _counts(tasks, tournaments=tournaments, cases=len(found), appeals=len(appeals)))
    return Work(tasks=tasks, desk=desk, lists=lists, cases=found, appeals=appeals)


def _cases(user: Any, lists: Lists[Any], today: date) -> list[QueueCase]:
    return cases(lists, today) if can_see_queue(user) else []


def _appeals(user: Any) -> QuerySet[Appeal]:
    return appeals_in([CaseState.WAITING]) if can_see_queue(user) else Appeal.objects.none()


def _tasks(
    user: Any, at_desk: Sequence[DeskTask], found: Sequence[QueueCase], lists: Lists[Any], today: date
) -> list[DeskTask]:
    """Return the tasks of all roles of a user, the fewest days left first."""
    tasks = [*at_desk]
    if can_decide(user):
        tasks += case_tasks(found, today=today)
    if is_staff(user):
        tasks += staff_tasks(lists, today)
    return sorted(tasks, key=lambda need: need.order)


def _counts(tasks: Sequence[DeskTask], **others: int) -> dict[str, int]:
    """Return how much waits: by the codes of tasks, all tasks, and others by their names."""
    found: Counter[str] = Counter()
    for need in tasks:
        found[need.code] += 1
    return {**found, "tasks": len(tasks), **others}


def keep_counts(user: Any, counts: Mapping[str, int]) -> None:
    """Keep the counts of a user's work for this request and the next ones."""
    # The object of the user lives as long as the request.
    user._portal_counts = counts
    cache.set(_key(user), counts, COUNTED_SECONDS)


def counts_of(user: Any, *, may_count: bool = True) -> Mapping[str, int]:
    """Return the counts of a user's work: of this request, else kept ones, else counted anew, or none."""
    counts: Mapping[str, int] | None = getattr(user, "_portal_counts", None) or cache.get(_key(user))
    if counts is not None or not may_count:
        return counts or {}
    today = timezone.now().date()
    lists = read_lists()
    found = _cases(user, lists, today)
    tasks = _tasks(user, desk_tasks(user, lists, today=today), found, lists, today)
    tournaments, appeals = for_user(user).count(), _appeals(user).count()
    counts = _counts(tasks, tournaments=tournaments, cases=len(found), appeals=appeals)
    keep_counts(user, counts)
    return counts


def forget_counts(user: Any) -> None:
    """Let the next page count anew: the user has done something."""
    cache.delete(_key(user))


def _key(user: Any) -> str:
    # With the day: deadlines make other tasks from midnight on.
    return f"work:{user.pk}:{timezone.now().date()}"
