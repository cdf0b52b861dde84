"""Tournaments with the reason and instant of their newest step."""

from __future__ import annotations

from django.db.models import (
    OuterRef,
    QuerySet,
    Subquery,
)

from tournaments.choices import Action
from tournaments.models import AuditEntry, Tournament

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
    Action.ASK,
    Action.ANSWER,
    Action.ASK_CORRECTION,
    Action.DENY_CORRECTION,
)


def with_reason(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Add the newest step with the registration; naming arbiters and handing reports over is none."""
    steps = AuditEntry.objects.filter(tournament=OuterRef("pk"))
    return with_newest_step(tournaments, steps.exclude(action__in=BESIDE_THE_REGISTRATION))


def with_newest_step(tournaments: QuerySet[Tournament], steps: QuerySet[AuditEntry]) -> QuerySet[Tournament]:
    """Add the reason and instant of the newest of the steps as `last_reason` and `last_at`."""
    # By key within an instant: a group of steps has one.
    newest = steps.order_by("-at", "-pk")
    return tournaments.annotate(
        last_reason=Subquery(newest.values("reason")[:1]), last_at=Subquery(newest.values("at")[:1])
    )
