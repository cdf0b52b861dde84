"""Nobody decides what is their own (D-131)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.choices import Area, Deed, Role
from players.models.log import record_act
from players.permissions import federations_of, has_role, is_staff

IS_STAFF = Q(appointments__role=Role.STAFF) | Q(is_superuser=True)


def is_concerned(user: Any, federations: Collection[str], *, asked_by: int | None) -> bool:
    """Return whether a decision would be the user's own: they asked, or are officer of a federation in it."""
    return user is not None and (user.pk == asked_by or not federations_of(user).isdisjoint(federations))


def decides_alone(
    user: Any, federations: Collection[str], *, asked_by: int | None, holders: Q = IS_STAFF
) -> bool:
    """Return whether the user decides what is their own because nobody else can, which the log then says.

    `holders` are those who decide such a thing; FIDE staff take their place. `RefusedError` where one of them, or of
    the staff, is not concerned.
    """
    if not is_concerned(user, federations, asked_by=asked_by):
        return False
    if _unconcerned(holders | IS_STAFF, federations, asked_by).exclude(pk=user.pk).exists():
        message = _("You asked for this, or it concerns your federation. Another person decides.")
        raise refused("own-matter-D-131", message)
    return True


def own_matter(
    user: Any, federations: Collection[str], *, asked_by: int | None = None, holders: Q = IS_STAFF
) -> Refusal | None:
    """Return why a person does not do what concerns federations, as another could; None where they may."""
    try:
        decides_alone(user, federations, asked_by=asked_by, holders=holders)
    except RefusedError as error:
        return error.refusals[0]
    return None


def stands_in(user: Any, role: str, federations: Collection[str], *, asked_by: int | None) -> bool:
    """Return whether FIDE staff decide in place of a role, each holder of which is concerned."""
    if not is_staff(user) or has_role(user, role) or is_concerned(user, federations, asked_by=asked_by):
        return False
    return not _unconcerned(Q(appointments__role=role), federations, asked_by).exists()


def is_staff_there() -> bool:
    """Return whether anybody but the operator of the installation could decide as FIDE staff."""
    return get_user_model().objects.filter(IS_STAFF, is_active=True).exists()


def record_alone(player: int, *, by: Any, at: datetime) -> None:
    """Record that a decision about a player was taken by a person whom it concerns, as nobody else could."""
    record_act(Area.PLAYER, Deed.ALONE, f"FIDE ID {player}", player_id=player, by=by, at=at)


def _unconcerned(holders: Q, federations: Collection[str], asked_by: int | None) -> QuerySet[Any]:
    users = get_user_model().objects
    officers = users.filter(
        appointments__role__in=(Role.OFFICER, Role.DEPUTY), appointments__federation__in=federations
    )
    others = users.filter(holders, is_active=True).exclude(pk__in=officers.values("pk"))
    return others if asked_by is None else others.exclude(pk=asked_by)
