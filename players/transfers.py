"""Transfers of players: asked for by one federation, agreed to by the other (FIDE R&B 2024, 9.2)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import Refusal, refused
from players.cases import RULES, CaseRules, CaseTask, only, open_case, player_acts
from players.choices import CaseKind, CaseState, Deed, Role
from players.members import end_left_memberships
from players.models import Federation, Player, Transfer
from players.permissions import (
    can_answer_transfer,
    can_withdraw_transfer,
    federations_of,
    is_staff,
    refuse_merged,
)


def ask_transfer(player: Player, *, to: Federation, by: Any, at: datetime) -> Transfer:
    """Record that one side asks for a transfer; the other is to agree.

    The federation shown on published lists stays; the next list shows the new one.
    """
    sides = federations_of(by)
    asked_for = to.code if to.code in sides else player.federation_id
    if asked_for not in sides and not is_staff(by):
        raise refused(
            "not-your-federation", _("You can only request transfers from or to your own federation.")
        )
    refuse_merged(player)
    if to.code == player.federation_id:
        raise refused("same-federation", _("The player already belongs to this federation."), "to")
    made = Transfer(
        player=player,
        federation_id=asked_for,
        from_federation_id=player.federation_id,
        to_federation=to,
        asked_by=by,
        asked_at=at,
    )
    second = Refusal("transfer-waits", _("This player already has a pending transfer."))
    return open_case(made, second=second)


def _begin(transfer: Transfer, seen: str | None) -> None:
    # Before the case, as a merge locks them.
    Player.objects.select_for_update().get(pk=transfer.player.pk)


def _move(transfer: Transfer, reason: str, *, by: Any, at: datetime) -> None:
    player = Player.objects.get(pk=transfer.player.pk)
    # An import or a merge may have moved the player since the request.
    if player.federation_id != transfer.from_federation_id:
        raise refused("moved-meanwhile", _("The player now belongs to another federation."))
    player.federation_id = transfer.to_federation_id
    player.save(update_fields=["federation"], by=by, at=at)
    end_left_memberships([player.pk], on=at.date())


def _seen_by(user: Any) -> Q:
    mine = federations_of(user)
    own = Q(transfer__from_federation__in=mine) | Q(transfer__to_federation__in=mine)
    return Q() if is_staff(user) else own


def _waits_for(user: Any, today: date) -> Q:
    mine = federations_of(user)
    own = Q(transfer__from_federation__in=mine) | Q(transfer__to_federation__in=mine)
    return own & ~Q(federation__in=mine)


def _of_the_other_side(transfer: Transfer) -> Q:
    other = {transfer.from_federation_id, transfer.to_federation_id} - {transfer.federation_id}
    roles = (Role.OFFICER, Role.DEPUTY)
    return Q(appointments__role__in=roles, appointments__federation__in=other)


def _about(transfer: Transfer) -> dict[str, Any]:
    return {
        "player_id": transfer.player_id,
        "subject": f"FIDE ID {transfer.player_id}",
        "before": transfer.from_federation_id,
        "after": transfer.to_federation_id,
    }


RULES[CaseKind.TRANSFER] = CaseRules(
    task=CaseTask(_l("Approve or refuse the transfer")),
    seen_by=_seen_by,
    waits_for=_waits_for,
    bar=only(can_answer_transfer, _l("Only the other federation or FIDE staff can decide.")),
    bar_to_cancel=only(
        can_withdraw_transfer,
        _l("Only the federation or the FIDE staff that made the request can cancel it."),
    ),
    begin=_begin,
    grant=_move,
    holders=_of_the_other_side,
    record=player_acts(
        {
            CaseState.WAITING: Deed.MOVE,
            CaseState.APPROVED: Deed.AGREE,
            CaseState.REFUSED: Deed.DENY,
            CaseState.WITHDRAWN: Deed.UNMOVE,
        },
        _about,
    ),
)
