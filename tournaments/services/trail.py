"""Writing the history of tournaments, which is their part of the audit log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tournaments.choices import Action
from tournaments.models import Tournament, TrailEntry
from tournaments.services.step_mails import tell


def record_step(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    before: str = "",
    is_public: bool = False,
    changes: Iterable[dict[str, Any]] = (),
) -> None:
    """Record what was done with a tournament and mail those concerned; its registration is the one after the step.

    `before` is the registration before the step if it changed. Everybody may read the reason of a public step.
    """
    step = new_step(tournament, action, reason=reason, by=by, at=at)
    step.registration_before = before
    step.is_public = is_public
    step.changes = list(changes)
    record_steps([step])


def record_steps(steps: Iterable[TrailEntry]) -> None:
    """Write steps of one or many tournaments and mail those concerned."""
    for step in TrailEntry.objects.bulk_create(steps):
        tell(step)


def new_step(tournament: Tournament, action: Action, *, reason: str, by: Any, at: datetime) -> TrailEntry:
    """Return an unsaved step for `record_steps`."""
    return TrailEntry(
        tournament=tournament,
        action=action,
        registration=tournament.registration,
        reason=reason.strip(),
        by=by,
        at=at,
    )


def newest_step(tournament: Tournament) -> TrailEntry | None:
    """Return the last step of a tournament, None without one."""
    return tournament.trail.select_related("by").order_by("-pk").first()
