"""Adding steps to the trails of tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from tournaments.choices import Action
from tournaments.models import Tournament, TrailEntry
from tournaments.services.step_mails import tell


def new_step(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    before: str = "",
    is_public: bool = False,
    changes: Iterable[dict[str, Any]] = (),
) -> TrailEntry:
    """Return what was done with a tournament, whose registration stands as after it, for `add_steps` to write.

    `before` is the registration before it where that changed; of a public step everybody may read the reason.
    """
    return TrailEntry(
        tournament=tournament,
        action=action,
        registration_before=before,
        registration=tournament.registration,
        reason=reason.strip(),
        is_public=is_public,
        changes=list(changes),
        by=by,
        at=at,
    )


def add_steps(*steps: TrailEntry) -> None:
    """Write steps, of several tournaments or of one; those whom they concern are told by mail."""
    for step in TrailEntry.objects.bulk_create(steps):
        tell(step)


def newest_step(tournament: Tournament) -> TrailEntry | None:
    """Return what was done last with a tournament, None where nothing was."""
    return tournament.trail.select_related("by").order_by("-pk").first()
