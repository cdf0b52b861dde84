"""Applications for a FIDE ID, which FIDE staff decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import CaseState
from players.models import Application, Federation, Player
from players.own_matters import decides_alone, record_alone
from players.permissions import is_staff
from players.services.cases import close_case
from players.services.registration import NewPlayer, create_player


def approve(application: Application, *, by: Any, at: datetime) -> Player | None:
    """Give the applicant a FIDE ID and return the player; None where somebody decided before.

    The birth date is the player's from then on: a decided application keeps none.
    """
    _check_staff(by)
    with transaction.atomic():
        Federation.objects.select_for_update().get(pk=application.federation_id)
        waiting = Application.objects.filter(pk=application.pk, state=CaseState.WAITING)
        held = waiting.select_for_update().select_related("federation").first()
        if held is None or held.birth_date is None:
            return None
        is_alone = decides_alone(by, {held.federation_id}, asked_by=held.asked_by_id)
        player = create_player(NewPlayer(held.name, held.federation, held.sex, held.birth_date), by=by, at=at)
        close_case(held, CaseState.APPROVED, by=by, at=at, birth_date=None, player=player)
        if is_alone:
            record_alone(player.pk, by=by, at=at)
    return player


def refuse(application: Application, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse an application with a reason and return whether this call did."""
    _check_staff(by)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    return close_case(application, CaseState.REFUSED, answer=reason, by=by, at=at, birth_date=None)


def _check_staff(by: Any) -> None:
    if not is_staff(by):
        raise refused("staff-only", _("FIDE staff decide."))
