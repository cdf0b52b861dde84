"""Titles and licences of arbiters, as FIDE staff enter them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import refused
from core.text_values import read_number
from players.choices import ArbiterTitle, Area, Deed
from players.fide_list.values import MAX_FIDE_ID
from players.models import ArbiterLicence, Player
from players.models.log import record_act
from players.names import FoldedName, find_ids
from players.permissions import is_staff, refuse_merged


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
    refuse_merged(player)
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


# The list of arbiters: players with an arbiter's title on FIDE's list, and those whom FIDE staff entered.
MIN_DIGITS = 4
# The OTit column has codes like "IA,FT": none of the others contains one of an arbiter.
ON_THE_LIST = Q(arbiter_licence__isnull=False)
for _title in ArbiterTitle.values:
    ON_THE_LIST |= Q(other_titles__contains=_title)
# A FIDE ID alone, or a name with it: "Arbiter, Anna (1300001)".
WITH_ID = re.compile(rf"(?:.*\()?\s*(\d{{{MIN_DIGITS},10}})\s*\)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Arbiter:
    """A player as an arbiter: the title, empty if unknown, the category and the last day of the licence."""

    player: Player
    title: str
    category: str
    licensed_until: date | None

    @property
    def fide_id(self) -> int:
        return int(self.player.pk)

    @property
    def title_name(self) -> str:
        return str(ArbiterTitle(self.title).label) if self.title else ""

    def __str__(self) -> str:
        return f"{self.player.name} ({self.player.pk})"


def arbiter_of(player: Player) -> Arbiter:
    """Return a player as an arbiter; the title of FIDE's list comes before the one that staff entered."""
    licence: ArbiterLicence | None = getattr(player, "arbiter_licence", None)
    held: list[Any] = [title for title in ArbiterTitle.values if title in player.other_titles.split(",")]
    entered = (licence.title, licence.category, licence.licensed_until) if licence else ("", "", None)
    return Arbiter(player, held[0] if held else entered[0], entered[1], entered[2])


def arbiters_with(ids: Iterable[int]) -> dict[int, Arbiter]:
    """Return the arbiters of FIDE IDs; IDs of others are left out."""
    players = Player.objects.filter(ON_THE_LIST, pk__in=[*ids]).select_related("arbiter_licence")
    return {player.pk: arbiter_of(player) for player in players}


def find_arbiters(text: str, *, shown: int) -> list[Player]:
    """Return the first arbiters whom a text names by words or FIDE ID."""
    found, _is_cut = find_ids(text)
    players = Player.objects.filter(ON_THE_LIST, pk__in=found, merged_into=None)
    in_order = players.annotate(name_key=FoldedName("name")).order_by("name_key", "name", "pk")
    return [*in_order.select_related("federation")[:shown]]


def fide_id_in(text: str) -> int | None:
    """Return the FIDE ID that a field names an arbiter by, None for any other name."""
    match = WITH_ID.fullmatch(text.strip())
    return read_number(match[1], most=MAX_FIDE_ID) if match else None
