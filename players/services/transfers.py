"""Transfers of players: asked for by one federation, agreed to by the other (FIDE R&B 2024, 9.2)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Refusal, refused, refusing_second
from players.choices import Area, CaseState, Deed, Role
from players.models import Federation, Player, Transfer
from players.models.log import record_act
from players.own_matters import decides_alone, record_alone
from players.permissions import can_answer_transfer, can_withdraw_transfer, federations_of, is_staff
from players.services.cases import close_case


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
    if player.merged_into_id:
        raise refused("merged", _("This FIDE ID was merged into another one. Transfer that one."))
    if to.code == player.federation_id:
        raise refused("same-federation", _("The player already belongs to this federation."), "to")
    second = Refusal("transfer-waits", _("This player already has a pending transfer."))
    with refusing_second(second):
        made = Transfer.objects.create(
            player=player,
            from_federation_id=player.federation_id,
            to_federation=to,
            asked_for_id=asked_for,
            asked_by=by,
            asked_at=at,
        )
        _record_transfer(made, Deed.MOVE, by=by, at=at)
        return made


def agree(transfer: Transfer, *, by: Any, at: datetime) -> bool:
    """Agree to a transfer: the player belongs to the new federation. Returns whether this call did."""
    if not can_answer_transfer(by, transfer):
        raise refused("not-yours", _("Only the other federation or FIDE staff can decide."))
    is_alone = _decides_alone(transfer, by)
    with transaction.atomic():
        if not _close_transfer(transfer, CaseState.APPROVED, by=by, at=at):
            return False
        if is_alone:
            record_alone(transfer.player_id, by=by, at=at)
        player = Player.objects.select_for_update().get(pk=transfer.player_id)
        # An import or a merge may have moved the player since the request.
        if player.federation_id != transfer.from_federation_id:
            raise refused("moved-meanwhile", _("The player now belongs to another federation."))
        player.federation_id = transfer.to_federation_id
        player.save(update_fields=["federation"], by=by, at=at)
    return True


def refuse_transfer(transfer: Transfer, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse a transfer with a reason and return whether this call did."""
    if not can_answer_transfer(by, transfer):
        raise refused("not-yours", _("Only the other federation or FIDE staff can decide."))
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The other federation will see it."), "reason")
    return _close_transfer(transfer, CaseState.REFUSED, answer=reason, by=by, at=at)


def _decides_alone(transfer: Transfer, by: Any) -> bool:
    """Return whether an officer of both sides, or who asked, agrees as nobody else can (D-131)."""
    other = {transfer.from_federation_id, transfer.to_federation_id} - {transfer.asked_for_id}
    roles = (Role.OFFICER, Role.DEPUTY)
    holders = Q(appointments__role__in=roles, appointments__federation__in=other)
    return decides_alone(by, {transfer.asked_for_id}, asked_by=transfer.asked_by_id, holders=holders)


def withdraw_transfer(transfer: Transfer, *, by: Any, at: datetime) -> bool:
    """Take back what one's own side asked for and return whether this call did."""
    if not can_withdraw_transfer(by, transfer):
        raise refused(
            "not-yours", _("Only the federation or the FIDE staff that made the request can cancel it.")
        )
    return _close_transfer(transfer, CaseState.WITHDRAWN, by=by, at=at)


# What the audit log says of the end of a transfer.
DEEDS = {
    CaseState.APPROVED: Deed.AGREE,
    CaseState.REFUSED: Deed.DENY,
    CaseState.WITHDRAWN: Deed.UNMOVE,
}


def _close_transfer(transfer: Transfer, state: CaseState, *, answer: str = "", by: Any, at: datetime) -> bool:
    with transaction.atomic():
        is_closed = close_case(transfer, state, answer=answer, by=by, at=at)
        if is_closed:
            _record_transfer(transfer, DEEDS[state], by=by, at=at, reason=answer)
    return is_closed


def _record_transfer(transfer: Transfer, deed: Deed, *, by: Any, at: datetime, reason: str = "") -> None:
    record_act(
        Area.PLAYER,
        deed,
        f"FIDE ID {transfer.player_id}",
        by=by,
        at=at,
        player_id=transfer.player_id,
        before=transfer.from_federation_id,
        after=transfer.to_federation_id,
        reason=reason,
    )
