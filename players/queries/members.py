"""Who is in the registers of federations."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from players.models import Membership, Player
from players.permissions import federations_of, is_staff


def membership_of(player: Player) -> Membership | None:
    """Return the membership of a player in the federation today."""
    return Membership.objects.filter(until=None, player=player.pk, federation=player.federation_id).first()


def with_membership(*, on: date | None = None) -> QuerySet[Player]:
    """Return players with number, club and district of their membership today, or on a day, None without one."""
    rows = Membership.objects.filter(until=None) if on is None else Membership.objects.on(on)
    own = rows.filter(player=OuterRef("pk"), federation=OuterRef("federation"))
    return Player.objects.annotate(
        **{f"of_{name}": Subquery(own.values(name)[:1]) for name in ("number", "club", "district")}
    )


def membership_with(player: Any) -> Membership | None:
    """Return the membership that a player of `with_membership` has."""
    if player.of_number is None:
        return None
    values = {"number": player.of_number, "club": player.of_club, "district": player.of_district}
    return Membership(player=player, federation_id=player.federation_id, **values)


def numbered_ids(user: Any, text: str) -> list[int]:
    """Return the players with a national number: of the federations of an officer, for staff of all, else of none."""
    number = text.strip().upper()
    everywhere = is_staff(user)
    if not number or not (everywhere or federations_of(user)):
        return []
    rows = Membership.objects.present().filter(number=number)
    own = rows if everywhere else rows.filter(federation__in=federations_of(user))
    return list(own.order_by("player").values_list("player_id", flat=True))
