"""Tournaments with the reason and instant of their newest step."""

from __future__ import annotations

from typing import Any

from django.db.models import (
    OuterRef,
    QuerySet,
    Subquery,
)

from players.models import LogEntry
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.portal_reasons import SENTENCES

# Steps that say nothing of why a registration waits or was refused.
BESIDE_THE_REGISTRATION = (
    Action.NAME,
    Action.UNNAME,
    Action.HAND_OVER,
    Action.TAKE,
    Action.SEND_BACK,
    Action.KEEP,
    Action.DROP,
    Action.ATTACH,
    Action.ENTER,
    Action.ELSEWHERE,
    Action.ASK,
    Action.ANSWER,
    Action.ASK_CORRECTION,
    Action.DENY_CORRECTION,
)


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = LogEntry.objects.filter(tournament=OuterRef("pk"))
    return with_newest_step(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


def with_newest_step(tournaments: QuerySet[Tournament], steps: QuerySet[LogEntry]) -> QuerySet[Tournament]:
    """Add the newest of the steps: `last_reason` and `last_stated` (see `newest_why`), and its instant `last_at`."""
    # By key within an instant: a group of steps has one.
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]),
        last_stated=Subquery(newest.values("stated")[:1]),
        last_at=Subquery(newest.values("at")[:1]),
    )


def newest_why(tournament: Any) -> str:
    """Return the reason of the newest step in the language of the page, empty without one."""
    return SENTENCES.show(tournament.last_stated) if tournament.last_stated else tournament.last_reason or ""
