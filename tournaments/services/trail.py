"""Writing the history of tournaments, which is their part of the audit log."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from core.errors import refused
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


def seen_of(tournament: Tournament) -> str:
    """Return the number of the newest step, which a form carries as what its author saw."""
    step = newest_step(tournament)
    return str(step.pk) if step else "0"


def hold_to_what_was_seen(tournament: Tournament, seen: str | None) -> None:
    """Lock a tournament and refuse an act whose author has not seen its newest step; None skips this check."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if seen is None:
        return
    step = newest_step(locked)
    if seen == (str(step.pk) if step else "0"):
        return
    message = _(
        "%(who)s did something meanwhile: %(what)s. Nothing is changed yet. Compare what you typed with the "
        "tournament as it is now; sent again, yours takes its place."
    )
    who = step.by if step else None
    told = {"who": who or _("Somebody"), "what": step.get_action_display() if step else "–"}
    raise refused("changed-meanwhile", message % told)


def newest_step(tournament: Tournament) -> TrailEntry | None:
    """Return the last step of a tournament, None without one."""
    return tournament.trail.select_related("by").order_by("-pk").first()
