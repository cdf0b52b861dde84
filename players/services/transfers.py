"""A player's change of federation: one side asks, the other agrees, or FIDE staff decide."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import TransferState
from players.models import Federation, Player, Transfer
from players.permissions import can_answer_transfer, can_withdraw_transfer, federations_of, is_staff


def ask_transfer(player: Player, *, to: Federation, by: Any, at: datetime) -> Transfer:
    """Record that one side asks for a transfer; the other is to agree.

    The federation shown on published lists stays; the next list shows the new one.
    """
    sides = federations_of(by)
    asked_for = to.code if to.code in sides else player.federation_id
    if asked_for not in sides and not is_staff(by):
        raise refused("not-your-federation", _("You act for neither of the two federations."))
    if player.merged_into_id:
        raise refused("merged", _("This FIDE ID was merged into another one: transfer that one."))
    if to.code == player.federation_id:
        raise refused("same-federation", _("The player belongs to this federation already."), "to")
    try:
        with transaction.atomic():
            return Transfer.objects.create(
                player=player,
                from_federation_id=player.federation_id,
                to_federation=to,
                asked_for_id=asked_for,
                asked_by=by,
                asked_at=at,
            )
    except IntegrityError as error:
        message = _("A transfer of this player is waiting already.")
        raise refused("transfer-waits", message) from error


def agree(transfer: Transfer, *, by: Any, at: datetime) -> bool:
    """Agree to a transfer: the player belongs to the new federation. Returns whether this call did."""
    if not can_answer_transfer(by, transfer):
        raise refused("not-yours", _("The other federation agrees, or FIDE staff decide."))
    with transaction.atomic():
        if not _close(transfer, TransferState.AGREED, reason="", by=by, at=at):
            return False
        player = Player.objects.select_for_update().get(pk=transfer.player_id)
        if player.federation_id != transfer.from_federation_id:
            raise refused("moved-meanwhile", _("The player belongs to another federation by now."))
        player.federation_id = transfer.to_federation_id
        player.save(update_fields=["federation"])
    return True


def refuse_transfer(transfer: Transfer, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse a transfer with a reason and return whether this call did."""
    if not can_answer_transfer(by, transfer):
        raise refused("not-yours", _("The other federation agrees, or FIDE staff decide."))
    if not reason.strip():
        raise refused("reason-missing", _("Give the reason; the other federation reads it."), "reason")
    return _close(transfer, TransferState.REFUSED, reason=reason.strip(), by=by, at=at)


def withdraw_transfer(transfer: Transfer, *, by: Any, at: datetime) -> bool:
    """Take back what one's own side asked for and return whether this call did."""
    if not can_withdraw_transfer(by, transfer):
        raise refused("not-yours", _("Only the side that asked takes it back."))
    return _close(transfer, TransferState.WITHDRAWN, reason="", by=by, at=at)


def _close(transfer: Transfer, state: str, *, reason: str, by: Any, at: datetime) -> bool:
    asked = Transfer.objects.filter(pk=transfer.pk, state=TransferState.ASKED)
    return bool(asked.update(state=state, reason=reason, decided_by=by, decided_at=at))
