"""What a user has to do on a day, for the dashboard, and how much of it, for the rail of every page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.cache import cache
from django.db.models import Case, Value, When
from django.utils import timezone

from players.cases import open_cases, row_of
from players.choices import CaseKind
from players.permissions import can_explain, is_staff
from ratings.lists import read_lists
from ratings.staff_tasks import staff_tasks, stopped_tasks
from tournaments.case_queue import QueueCase, case_tasks, cases
from tournaments.inbox import DeskTask, cases_with_tasks
from tournaments.lists import Lists
from tournaments.models import Appeal
from tournaments.overview import Desk, desk_of, desk_tasks
from tournaments.permissions import can_decide, can_see_queue, for_user

# What others do is counted this much later at most; what a user does at the desk, at once.
COUNTED_SECONDS = 30
# So many cases are shown; the page of all has the others.
MAX_WAITING = 400
# Flags hold nothing back and are the most: what is due comes before them.
FLAGS_LAST = Case(When(kind=CaseKind.FLAGS, then=Value(1)), default=Value(0))


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
    waiting, found = _waiting(user, lists, today)
    desk = desk_of(user, lists, cases_with_tasks(waiting), today=today, month=month)
    tasks = _tasks(user, desk.tasks, found, lists, today)
    # The rail of the same page shows them: it need not count again.
    keep_counts(user, _counts(tasks, sum(number for _state, number in desk.counts)))
    appeals = [row_of(case) for case in waiting if case.kind == CaseKind.APPEAL]
    return Work(tasks=tasks, desk=desk, lists=lists, cases=found, appeals=appeals)


def _waiting(user: Any, lists: Lists[Any], today: date) -> tuple[list[Any], list[QueueCase]]:
    """Return the cases that wait, and those of the QC where the user sees them."""
    found = open_cases(user, today).order_by(FLAGS_LAST, "asked_at", "pk")
    waiting: list[Any] = list(found[:MAX_WAITING])
    return waiting, cases(lists, today, waiting) if can_see_queue(user) else []


def _tasks(
    user: Any, at_desk: Sequence[DeskTask], found: Sequence[QueueCase], lists: Lists[Any], today: date
) -> list[DeskTask]:
    """Return the tasks of all roles of a user, the fewest days left first."""
    tasks = [*at_desk]
    if can_decide(user):
        tasks += case_tasks(found, today=today)
    if is_staff(user):
        tasks += staff_tasks(user, lists, today)
    if can_explain(user):
        tasks += stopped_tasks()
    return sorted(tasks, key=lambda need: need.order)


def _counts(tasks: Sequence[DeskTask], tournaments: int) -> dict[str, int]:
    """Return how much waits: by the codes of tasks, all tasks, and tournaments."""
    found = Counter(need.code for need in tasks)
    return {**found, "tasks": len(tasks), "tournaments": tournaments}


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
    waiting, found = _waiting(user, lists, today)
    tasks = _tasks(user, desk_tasks(user, lists, cases_with_tasks(waiting), today=today), found, lists, today)
    counts = _counts(tasks, for_user(user).count())
    keep_counts(user, counts)
    return counts


def forget_counts(user: Any) -> None:
    """Let the next page count anew: the user has done something."""
    cache.delete(_key(user))


def _key(user: Any) -> str:
    # With the day: deadlines make other tasks from midnight on.
    return f"work:{user.pk}:{timezone.now().date()}"
