"""Applications for a FIDE ID, which FIDE staff decide."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy as _l

from core.errors import RefusedError
from players.cases import (
    RULES,
    CaseRules,
    CaseTask,
    only,
    player_acts,
    seen_by_federation,
    staff_decide,
    waits_for_staff,
)
from players.choices import CaseKind, CaseState, Deed
from players.models import Application, Federation, Player
from players.permissions import federations_of
from players.registration import NewPlayer, create_player


def _lock_federation(application: Application, seen: str | None) -> None:
    # As whoever registers a player does first.
    Federation.objects.select_for_update().get(pk=application.federation_id)


def _register(application: Application, reason: str, *, by: Any, at: datetime) -> dict[str, Player]:
    """Give the applicant a FIDE ID, and the number and club of the register; a number of another player stays there.

    The birth date is the player's from then on.
    """
    new = NewPlayer(
        name=application.name,
        federation=application.federation,
        sex=application.sex,
        birth_date=application.birth_date,  # type: ignore[arg-type]
        number=application.member_number,
        club=application.club,
        district=application.district,
    )
    try:
        return {"player": create_player(new, by=by, at=at)}
    except RefusedError:
        return {"player": create_player(replace(new, number=""), by=by, at=at)}


def _about(application: Application) -> dict[str, Any]:
    return {
        "player_id": application.player_id,
        "federation_id": application.federation_id,
        "subject": application.name,
    }


RULES[CaseKind.APPLICATION] = CaseRules(
    task=CaseTask(_l("Decide on the FIDE ID application")),
    related=("likeness",),
    seen_by=seen_by_federation,
    waits_for=waits_for_staff,
    bar=staff_decide,
    bar_to_cancel=only(
        lambda user, application: application.federation_id in federations_of(user),
        _l("Only the federation that made the request can cancel it."),
    ),
    begin=_lock_federation,
    grant=_register,
    record=player_acts(
        {
            CaseState.WAITING: Deed.APPLY,
            CaseState.APPROVED: Deed.ID_GIVEN,
            CaseState.REFUSED: Deed.ID_REFUSED,
            CaseState.WITHDRAWN: Deed.UNAPPLY,
        },
        _about,
    ),
)
