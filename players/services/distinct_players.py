"""Players who look like one person and are not, as FIDE staff found."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Area, Deed
from players.models import DistinctPlayers, Player
from players.models.log import record_act
from players.permissions import is_staff


def tell_apart(player: Player, other: Player, *, by: Any, at: datetime) -> bool:
    """Note that two records are of two persons, so that they are not suspected again; return whether this call did."""
    first, second = _pair_of(player, other, by=by)
    with transaction.atomic():
        _row, is_new = DistinctPlayers.objects.get_or_create(
            player=first, other=second, defaults={"by": by, "at": at}
        )
        if is_new:
            _record_pair(Deed.APART, first, second, by=by, at=at)
    return is_new


def suspect_again(player: Player, other: Player, *, by: Any, at: datetime) -> bool:
    """Undo `tell_apart`, and return whether this call did."""
    first, second = _pair_of(player, other, by=by)
    with transaction.atomic():
        number, _rows = DistinctPlayers.objects.filter(player=first, other=second).delete()
        if number:
            _record_pair(Deed.SUSPECT, first, second, by=by, at=at)
    return bool(number)


def _pair_of(player: Player, other: Player, *, by: Any) -> tuple[Player, Player]:
    """Return two players by FIDE ID. `RefusedError` for others than staff, and for one player."""
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can tell players apart."))
    if player.pk == other.pk:
        raise refused("same-player", _("Enter two different FIDE IDs."))
    return (player, other) if player.pk < other.pk else (other, player)


def _record_pair(deed: Deed, player: Player, other: Player, *, by: Any, at: datetime) -> None:
    values: dict[str, Any] = {"player": player, "after": f"FIDE ID {other.pk}"}
    record_act(Area.PLAYER, deed, f"FIDE ID {player.pk}", by=by, at=at, **values)
