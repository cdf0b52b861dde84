"""Titles and licences of arbiters, as FIDE staff enter them."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Area, Deed
from players.models import ArbiterLicence, Player
from players.models.log import record_act
from players.permissions import is_staff


def enter_licence(
    player: Player,
    *,
    title: str,
    category: str,
    licensed_until: date | None,
    by: Any,
    at: datetime,
) -> ArbiterLicence:
    """Enter an arbiter's title and licence in place of those before, with an entry of the audit log."""
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can enter arbiter licences."))
    if player.merged_into_id:
        message = _("This FIDE ID was merged into %(successor)s. Enter that ID.")
        raise refused("merged", message % {"successor": player.merged_into_id}, "player")
    values = {"title": title, "category": category, "licensed_until": licensed_until}
    with transaction.atomic():
        # Locked: what the log calls the former licence is the one that is replaced.
        former = ArbiterLicence.objects.select_for_update().filter(player=player).first()
        if former and all(getattr(former, name) == value for name, value in values.items()):
            return former
        made, _is_new = ArbiterLicence.objects.update_or_create(
            player=player, defaults={**values, "entered_by": by, "entered_at": at}
        )
        record_act(
            Area.PLAYER,
            Deed.LICENCE,
            str(player),
            player=player,
            by=by,
            at=at,
            before=_licence_text(former),
            after=_licence_text(made),
        )
    return made


def _licence_text(licence: ArbiterLicence | None) -> str:
    parts = (licence.title, licence.category, str(licence.licensed_until or "")) if licence else ()
    return " ".join(filter(None, parts))
