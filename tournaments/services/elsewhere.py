"""A tournament in other places: its number and state at FIDE, and its page on a results server."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.services.audit_log import record_action

FIELDS = ("fide_event", "results_url", "fide_state")


@transaction.atomic
def save_elsewhere(tournament: Tournament, values: Mapping[str, Any], *, by: Any, at: datetime) -> bool:
    """Save the number, link and state of a tournament, and return whether anything changed. They change no rating."""
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    changes = [
        {"field": name, "before": getattr(locked, name), "after": values[name]}
        for name in FIELDS
        if getattr(locked, name) != values[name]
    ]
    if changes:
        Tournament.objects.filter(pk=locked.pk).update(**{one["field"]: one["after"] for one in changes})
        record_action(locked, Action.ELSEWHERE, reason="", by=by, at=at, changes=changes)
    return bool(changes)
