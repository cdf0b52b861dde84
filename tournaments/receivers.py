"""What tournaments do when the app below tells them something."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.dispatch import receiver

from players.services.claims import claim_ended
from tournaments.services.objections import withdraw_objections_of


@receiver(claim_ended)
def withdraw_open_objections(sender: Any, *, user: Any, by: Any, at: datetime, **kwargs: Any) -> None:
    """An account without a claim has no results of its own to object to."""
    withdraw_objections_of(user, by=by, at=at)
