"""Restoring a registration that was withdrawn (D-81)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from tournaments.choices import Action, Registration
from tournaments.models import Tournament
from tournaments.services.audit_log import record_action
from tournaments.services.changed_meanwhile import hold_to_what_was_seen


def restore_registration(
    tournament: Tournament, *, reason: str, by: Any, at: datetime, seen: str | None = None
) -> Tournament:
    """Restore a withdrawn registration to what it was before, with a reason, and return the tournament (D-81).

    `RefusedError` without a reason, where it is not withdrawn, or where the author has not `seen` the newest step.
    """
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    with transaction.atomic():
        hold_to_what_was_seen(tournament, seen)
        withdrawn = tournament.audit_entries.filter(registration=Registration.WITHDRAWN).exclude(
            registration_before=""
        )
        step = withdrawn.order_by("-at", "-pk").first()
        former = step.registration_before if step else Registration.WAITING
        owned = Tournament.objects.filter(pk=tournament.pk, registration=Registration.WITHDRAWN)
        if not owned.update(registration=former):
            raise refused(
                "not-withdrawn", _("The registration was not withdrawn, so there is nothing to restore.")
            )
        tournament.refresh_from_db()
        record_action(tournament, Action.RESTORE, reason=reason, before=Registration.WITHDRAWN, by=by, at=at)
    return tournament
