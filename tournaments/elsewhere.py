"""A tournament in other places, and for players: what is shown of it and changes no rating."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.db import transaction

from core.errors import refused
from tournaments.choices import Action
from tournaments.log import record_action
from tournaments.models import Tournament
from tournaments.registration import late_entries

FIELDS = ("fide_event", "results_url", "fide_state")
FOR_PLAYERS = ("venue", "entry_url", "entry_email", "entry_fee", "entry_until")


@transaction.atomic
def save_elsewhere(tournament: Tournament, values: Mapping[str, Any], *, by: Any, at: datetime) -> bool:
    """Save what is known of a tournament elsewhere or for players, and return whether anything changed.

    `RefusedError` for entries that close after its first day.
    """
    locked = Tournament.objects.select_for_update().get(pk=tournament.pk)
    if late := late_entries(values.get("entry_until"), locked.start):
        raise refused("after-start", late, "entry_until")
    changes = [
        {"field": name, "before": _plain(name, getattr(locked, name)), "after": _plain(name, values[name])}
        for name in (*FIELDS, *FOR_PLAYERS)
        if name in values and getattr(locked, name) != values[name]
    ]
    if changes:
        Tournament.objects.filter(pk=locked.pk).update(
            **{one["field"]: values[one["field"]] for one in changes}
        )
        record_action(locked, Action.ELSEWHERE, reason="", by=by, at=at, changes=changes)
    return bool(changes)


def _plain(name: str, value: Any) -> Any:
    # The log stays; an address of a person does not.
    if name == "entry_email":
        return "…" if value else ""
    return value.isoformat() if isinstance(value, date) else value
