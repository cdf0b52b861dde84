"""Adding a step to a tournament's trail."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tournaments.choices import Action
from tournaments.models import Tournament, TrailEntry


def add_step(
    tournament: Tournament,
    action: Action,
    *,
    reason: str,
    by: Any,
    at: datetime,
    before: str = "",
    is_public: bool = False,
) -> TrailEntry:
    """Write what was done with a tournament, whose registration stands as after it, and return the step.

    `before` is the registration before it where that changed; of a public step everybody may read the reason.
    """
    return TrailEntry.objects.create(
        tournament=tournament,
        action=action,
        registration_before=before,
        registration=tournament.registration,
        reason=reason.strip(),
        is_public=is_public,
        by=by,
        at=at,
    )
