"""Decisions on tournaments, as their officers receive them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from players.choices import Area
from players.models import LogEntry
from players.permissions import federations_of
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.steps import Progress

DECISIONS_SHOWN_DAYS = 14
MAX_DECISIONS = 25
DECISIONS = (
    Action.ALLOW,
    Action.REFUSE,
    Action.NOT_RATE,
    Action.GRANT,
    Action.DENY,
    Action.DENY_CORRECTION,
    Action.RESTORE,
    Action.CLEAR,
    Action.UPHOLD,
    Action.DISMISS,
)


def decisions_received(own: QuerySet[Tournament], *, today: date) -> list[LogEntry]:
    """Return what was decided last on each of these tournaments in the last fortnight, the newest first."""
    found = LogEntry.objects.filter(tournament__in=own, action__in=DECISIONS, at__gte=decisions_since(today))
    later = found.filter(tournament=OuterRef("tournament")).filter(
        Q(at__gt=OuterRef("at")) | Q(at=OuterRef("at"), pk__gt=OuterRef("pk"))
    )
    newest = found.exclude(Exists(later)).select_related("tournament", "appeal")
    return list(newest.order_by("-at", "-pk")[:MAX_DECISIONS])


def is_appealable(entry: LogEntry, user: Any, progress: Mapping[int, Progress]) -> bool:
    """Return whether a decision of `decisions_received` is one not to rate that the user can still appeal (0.4)."""
    is_open = entry.action == Action.NOT_RATE and progress[entry.tournament.pk].step.code == "appeal"
    return is_open and entry.tournament.federation_id in federations_of(user)


def decisions_since(today: date) -> datetime:
    """Return the instant from which on decisions are new."""
    return datetime.combine(today - timedelta(days=DECISIONS_SHOWN_DAYS), time.min, UTC)


def decided_since(instant: datetime, *, most: int) -> list[LogEntry]:
    """Return the decisions of the QC and of FIDE Council since an instant, the newest first."""
    decided = LogEntry.objects.filter(area=Area.TOURNAMENT, action__in=DECISIONS, at__gte=instant)
    return list(decided.select_related("tournament").order_by("-at", "-pk")[:most])
