"""The year of birth that a minor hides."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Area, Deed
from players.models import HiddenBirthYear
from players.models.log import record_act
from players.queries.minors import is_minor
from players.services.claims import claimed_player


def hide_birth_year(user: Any, *, is_hidden: bool, at: datetime) -> None:
    """Show the age band of a minor in place of the year of birth, or the year again, at their own wish."""
    player = claimed_player(user)
    if player is None:
        raise refused("not-confirmed", _("Your claim of a player record is not confirmed."))
    with transaction.atomic():
        if is_hidden:
            if not is_minor(player.birth_year, at.date()):
                message = _("Only minors can hide the year of birth: lists show it (article 6.1.2).")
                raise refused("not-a-minor", message)
            done = HiddenBirthYear.objects.get_or_create(player=player, defaults={"asked_at": at})[1]
        else:
            done = bool(HiddenBirthYear.objects.filter(player=player).delete()[0])
        if done:
            record_act(
                Area.PLAYER, Deed.HIDE if is_hidden else Deed.SHOW, str(player), player=player, by=user, at=at
            )
