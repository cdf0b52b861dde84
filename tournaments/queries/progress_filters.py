"""Filters for tournaments whose progress is worth computing: in which step one is, its progress alone says."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q

from players.choices import CaseKind
from players.models import LogEntry
from players.models.cases import waits
from tournaments import regulations
from tournaments.choices import (
    OPEN_REGISTRATIONS,
    Action,
    Kind,
    Registration,
    ReportState,
    Stage,
)
from tournaments.lists import Lists
from tournaments.models import Report
from tournaments.models.tournament import REPORTED_BY_STAFF

LETTING_GO = (Action.GRANT, Action.DENY, Action.CLEAR, Action.ALLOW, Action.RESTORE, Action.UPHOLD)
PLANNED = Q(registration__in=OPEN_REGISTRATIONS, stage=Stage.PLANNED)


def may_be_played(today: date) -> Q:
    """Return which tournaments may be in the step `play`."""
    return PLANNED & Q(~waits(CaseKind.REQUEST), end__gt=today)


def may_be_reported(lists: Lists[Any], today: date) -> Q:
    """Return which tournaments may be in one of `REPORT_STEPS`."""
    clean = Report.objects.filter(tournament=OuterRef("pk"), state=ReportState.CHECKED, has_errors=False)
    # What others kept the officer from accepting in time is accepted for some days after they let it go (D-128).
    let_go = LogEntry.objects.filter(
        tournament=OuterRef("pk"), action__in=LETTING_GO, at__gte=_midnight(today, regulations.DAYS_TO_ACCEPT)
    )
    is_possible = _is_in_time(lists, today) | Q(Exists(clean), Exists(let_go))
    return PLANNED & Q(~waits(CaseKind.REQUEST), end__lte=today) & is_possible


def not_reported(last_end: date) -> Q:
    """Return which tournaments ended up to a day and have no accepted report."""
    return PLANNED & Q(end__lte=last_end)


def may_be_missed(lists: Lists[Any], today: date) -> Q:
    """Return which tournaments may be in the step `missed`."""
    return PLANNED & Q(end__lte=today) & ~_is_in_time(lists, today)


def may_be_decided(today: date) -> Q:
    """Return which tournaments may be in the steps `decide`, `answer`, `question`, `request` and `appeal`."""
    # Older decisions can no longer be appealed (0.4).
    oldest = _midnight(today, regulations.APPEAL_DAYS)
    decisions = LogEntry.objects.filter(tournament=OuterRef("pk"), action=Action.NOT_RATE, at__gte=oldest)
    asked_for = Q(registration__in=OPEN_REGISTRATIONS) & Q(waits(CaseKind.HOLD) | waits(CaseKind.REQUEST))
    not_rated = Q(registration=Registration.NOT_RATED) & Q(Exists(decisions))
    return Q(registration=Registration.WAITING) | asked_for | not_rated


def _midnight(today: date, days: int) -> datetime:
    """Return the instant at which the day so many days before began."""
    return datetime.combine(today - timedelta(days=days), time.min, UTC)


def _is_in_time(lists: Lists[Any], today: date) -> Q:
    in_time = REPORTED_BY_STAFF
    for kind in Kind.values:
        oldest = lists.oldest_end(kind, today)
        in_time |= Q(kind=kind) & (Q(end__gte=oldest) | Q(upheld_on__gte=oldest))
    return in_time
