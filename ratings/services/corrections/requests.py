"""Granting what a federation asked for: the player's data are corrected, with the effect on lists (D-11)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import RequestState
from players.models import ChangeRequest
from players.permissions import is_staff
from players.services.requests import FIELDS, close_change
from ratings.services.corrections.players import PlayerEffect, correct_player


def effect_of(request: ChangeRequest, *, at: datetime) -> PlayerEffect:
    """Return what granting a request would do; nothing is written. `RefusedError` where nothing would change."""
    return correct_player(
        request.player, data_of(request), reason=request.reason, by=None, at=at, is_dry_run=True
    )


def grant_change(request: ChangeRequest, *, reason: str, by: Any, at: datetime) -> bool:
    """Grant a request: correct the player's data, tell who asked, and return whether this call did.

    The reason is published with the correction. `RefusedError` where it is missing or nothing would change.
    """
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can decide."))
    with transaction.atomic():
        if not close_change(request, RequestState.GRANTED, answer="", by=by, at=at):
            return False
        correct_player(request.player, data_of(request), reason=reason, by=by, at=at)
    return True


def data_of(request: ChangeRequest) -> dict[str, Any]:
    """Return the data that a request asks for, by field; the year of birth with the birth date."""
    asked = {name: getattr(request, name) for name in FIELDS}
    data = {name: value for name, value in asked.items() if value}
    if request.birth_date is not None:
        data["birth_year"] = request.birth_date.year
    return data
