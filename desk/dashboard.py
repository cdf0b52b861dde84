"""The dashboard: the user's tasks, most urgent first, and the coming lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.html.charts.days import DayMark, DaySpan, month_svg
from core.html.dates import day_text, days_left, list_month
from core.html.figures import colon
from desk.access import requires
from desk.work import Work, work_of
from players.choices import Area, CaseKind, CaseState, Role
from players.models import Case, LogEntry
from players.models.log import LogLink
from players.permissions import (
    can_register,
    can_use_desk,
    federations_of,
    has_account,
    has_role,
    is_staff,
)
from ratings.lists import is_published, new_lists
from ratings.movements import pending_corrections
from ratings.publish.checklist import (
    checklist_counts,
    newest_lists,
    next_publication,
    publication_checklist,
)
from ratings.verifications import DIFFERENT, VERIFIED, nightly_verifications, verifications_of
from tournaments.calendar import month_named
from tournaments.choices import Action
from tournaments.inbox import SORTS, DeskTask
from tournaments.list_dates import closing_date
from tournaments.lists import Lists
from tournaments.overview import (
    COUNTED_SECONDS,
    DECISIONS_SHOWN_DAYS,
    Desk,
    decided_since,
    month_of_chart,
)
from tournaments.permissions import can_decide, can_decide_appeals, can_see_queue
from tournaments.progress import appeal_ends

DECIDED_DAYS, DECIDED_SHOWN = 7, 8
LISTS_SHOWN = 12
# So many days before a publication it comes before the tasks.
NEAR_DAYS = 3


@require_safe
@requires(has_account)
def dashboard(request: HttpRequest) -> HttpResponse:
    """Show the dashboard. Redirect users without a role to "My chess"."""
    if not can_use_desk(request.user):
        return redirect("chess:mine")
    today = timezone.now().date()
    sees_queue = can_see_queue(request.user)
    month = _chosen_month(request, today)
    work = work_of(request.user, today=today, month=month)
    if work.desk.arbitrates:
        _add_when_sent(work.desk.arbitrates)
    is_watcher = sees_queue and not federations_of(request.user)
    overdue = sum(need.deadline is not None and need.deadline < today for need in work.tasks)
    context = {
        **_tasks(work.tasks, request.GET.get("tasks", "")),
        **(_watched_tasks(request.user, work, today) if sees_queue else {}),
        "desk": work.desk,
        "work": work.tasks,
        "overdue": overdue,
        "today": today,
        "new_lists": new_lists(work.lists, today),
        "federations": sorted(federations_of(request.user)),
        "coming": _coming_lists(work.desk, work.lists, today, month),
        "decision_days": DECISIONS_SHOWN_DAYS,
        "sees_queue": sees_queue,
        # Users with a federation see its month and the lists of its reports; the others what they watch.
        # FIDE Council and auditors have nothing to do by the deadlines of federations.
        "reads_only": is_watcher and not can_decide(request.user) and not is_staff(request.user),
        "is_watcher": is_watcher,
        "may_register": can_register(request.user),
        **(_publication(work, today, overdue) if is_staff(request.user) else {}),
        "proof": _proof(work.lists) if has_role(request.user, Role.AUDITOR) else None,
        "appeals_of_council": _appealable() if has_role(request.user, Role.COUNCIL) else None,
        "requested": sum(need.code == CaseKind.RESULT for need in work.tasks),
    }
    return render(request, "desk/dashboard/dashboard.html", context)


def _add_when_sent(arbitrates: Sequence[Any]) -> None:
    """Add to tournaments when their arbiter sent the report that waits for the officer, `sent_at`."""
    waiting = Case.objects.filter(
        kind=CaseKind.HANDED, state=CaseState.WAITING, tournament__in=[row.pk for row in arbitrates]
    )
    sent = dict(waiting.values_list("tournament", "asked_at"))
    for row in arbitrates:
        row.sent_at = sent.get(row.pk)


def _chosen_month(request: HttpRequest, today: date) -> date | None:
    """Return the first day of the month in the query, or None without one. Raise Http404 if it is invalid."""
    text = request.GET.get("month", "")
    month = month_named(text, today=today) if text else None
    if text and month is None:
        raise Http404(_("Enter a month, for example 2026-03."))
    return month


def _tasks(work: Sequence[DeskTask], wanted: str) -> dict[str, Any]:
    """Return the tasks of one sort, or all, and the switch between sorts if there are several."""
    numbers = Counter(need.sort for need in work)
    sort = wanted if wanted in numbers else ""
    choices = [(name, label, numbers[name]) for name, label in SORTS.items() if numbers[name]]
    return {
        "tasks": [need for need in work if sort in ("", need.sort)],
        "task_sort": sort,
        "task_sorts": choices if len(choices) > 1 else [],
    }


def _watched_tasks(user: Any, work: Work, today: date) -> dict[str, Any]:
    """Return what is with others: cases and appeals that the user reads and cannot decide, and what was decided."""
    may_decide, is_of_staff = can_decide(user), is_staff(user)
    since = timezone.now() - timedelta(days=DECIDED_DAYS)
    reads_qc = is_of_staff and not may_decide
    with_others = [
        (case, *case.waits_until(today))
        for case in work.cases
        if reads_qc or (may_decide and case.waits_for_others(today))
    ]
    return {
        "cases": work.cases,
        # As among the requests: the fewest days left first.
        "with_others": sorted(with_others, key=lambda row: (row[1], row[0].tournament.name)),
        "appeals": work.appeals,
        "with_council": [] if can_decide_appeals(user) else work.appeals,
        "decided": decided_since(since, most=DECIDED_SHOWN),
        "decided_days": DECIDED_DAYS,
    }


def counts_key(lists: Lists[Any], today: date) -> str:
    """Return what differs after each list; an act on whole lists forgets what was counted."""
    return f"publication:{today}:{lists.version}"


def _publication(work: Work, today: date, overdue: int) -> dict[str, Any]:
    """Return what the next publication waits for and includes, counted once a minute, and the newest lists.

    It comes before the tasks when it is near and none of them is overdue.
    """
    month = next_publication(work.lists, today)

    def count() -> dict[str, Any]:
        return {**checklist_counts(work.lists, month, today), "corrections": pending_corrections().count()}

    counts: dict[str, Any] = cache.get_or_set(counts_key(work.lists, today), count, COUNTED_SECONDS) or {}
    corrections = counts.pop("corrections")
    return {
        "is_near": month - today <= timedelta(days=NEAR_DAYS) and not overdue,
        "check": publication_checklist(work.lists, month, today, counts=counts),
        "corrections": corrections,
        "newest": newest_lists(work.lists),
    }


def _appealable() -> list[tuple[LogEntry, Any, date]]:
    """Return the last decisions not to rate, each with its appeal or None, and until when there may be one (0.4)."""
    decisions = LogEntry.objects.filter(area=Area.TOURNAMENT, action=Action.NOT_RATE)
    rows = decisions.select_related("tournament", "appeal").order_by("-at", "-pk")[:DECIDED_SHOWN]
    return [(entry, getattr(entry, "appeal", None), appeal_ends(entry)) for entry in rows]


def _proof(lists: Lists[Any]) -> dict[str, Any]:
    """Return what an auditor comes for: the verification of the lists, the checks of a night, the chain."""
    published = [one for one in lists.newest_first if is_published(one)]
    found, checks, now = verifications_of(published), nightly_verifications(), timezone.now()
    every = [*found.values(), *(check for _work, check in checks)]
    # What is not verified is never among the lists that are left out.
    first = sorted(published, key=lambda one: found[one.pk].state == VERIFIED)[:LISTS_SHOWN]
    shown = [one for one in published if one in first]
    return {
        "lists": [(one, found[one.pk], found[one.pk].is_overdue(now)) for one in shown],
        "number": len(published),
        "verified": sum(check.state == VERIFIED for check in found.values()),
        "is_whole": bool(published) and all(check.state == VERIFIED for check in every),
        "checked_at": max((check.at for check in every if check.at), default=None),
        "checks": checks,
        "failed": [(work, check) for work, check in checks if check.state == DIFFERENT],
        "link": LogLink.objects.last(),
    }


def _coming_lists(desk: Desk, lists: Lists[Any], today: date, month: date | None) -> dict[str, Any]:
    """Return the lists, their deadlines, and a chart of the month before them with its tournaments."""
    first, last = month_of_chart(lists, today, month)
    day = last + timedelta(days=1)
    days = [
        (_("Tournaments end"), closing_date(day)),
        (_("Reports are accepted"), last),
        (_("Lists are published"), day),
    ]
    # The chart says them in its marks and, for screen readers, in its description.
    deadlines = [_deadline_text(label, on, today=today) for label, on in days]
    chart = month_svg(
        (first, day),
        [DaySpan(row.name, row.start, row.end, state) for row, state in desk.month],
        [
            DayMark(text, on, is_near=today <= on != day)
            for text, (_label, on) in zip(deadlines, days, strict=True)
        ],
        today=today,
        title=_("Tournaments and deadlines of %(month)s") % {"month": list_month(first)},
        description=". ".join(deadlines),
    )
    turns = {"previous": first - timedelta(days=1), "following": day, "is_other": month is not None}
    return {"list": day, "month": first, "days": days, "chart": chart, **turns}


def _deadline_text(label: str, on: date, *, today: date) -> str:
    """Return a date of the lists with the days left; a date that is past is not overdue."""
    return f"{label}{colon()} {day_text(on)}" + (f", {days_left(on, today=today)}" if on >= today else "")
