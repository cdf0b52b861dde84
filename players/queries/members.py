"""Who is in the registers of federations."""

from __future__ import annotations

from datetime import date
from typing import Any

from players.models import Membership, Player
from players.permissions import federations_of, is_staff


def membership_of(player: Player, *, on: date | None = None) -> Membership | None:
    """Return the membership of a player in the federation today, or on a day."""
    rows = Membership.objects.filter(until=None) if on is None else Membership.objects.on(on)
    return rows.filter(player=player.pk, federation=player.federation_id).first()


def numbered_ids(user: Any, text: str) -> list[int]:
    """Return the players with a national number: of the federations of an officer, for staff of all, else of none."""
    number = text.strip().upper()
    everywhere = is_staff(user)
    if not number or not (everywhere or federations_of(user)):
        return []
    rows = Membership.objects.present().filter(number=number)
    own = rows if everywhere else rows.filter(federation__in=federations_of(user))
    return list(own.order_by("player").values_list("player_id", flat=True))
