"""The national number and the club of one player, as the federation enters them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any

from django.db.models import F, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refusing_second
from core.sql import ids_subquery
from players.models import Membership, Player
from players.name_refusals import text_refusals
from players.permissions import federations_of, is_staff, refuse_merged, refuse_strangers

NUMBER = re.compile(r"[0-9A-Z][0-9A-Z ./_-]{0,19}")


def set_membership(
    player: Player, *, number: str, club: str, district: str, by: Any, at: datetime
) -> Membership | None:
    """Enter the number and the club of a player in the register of the federation; another club has its day.

    Return the membership, None where nothing is entered. `RefusedError` where the number is another player's.
    """
    refuse_strangers(by, player.federation_id, field="player")
    refuse_merged(player)
    values = {"number": number.strip().upper(), "club": club.strip(), "district": district.strip()}
    if wrong := [*membership_refusals(**values)]:
        raise RefusedError(wrong)
    second = Refusal("number-taken", _("Another player of the federation has this number."), "number")
    with refusing_second(second):
        rows = Membership.objects.select_for_update().filter(player=player, until=None)
        held = rows.filter(federation=player.federation_id).first()
        if values["number"]:
            of_others = Membership.objects.filter(federation=player.federation_id, number=values["number"])
            _end_left(of_others, on=at.date())
        if held is None and not any(values.values()):
            return None
        if (
            held
            and held.since < at.date()
            and (held.club, held.district) != (values["club"], values["district"])
        ):
            held.until = at.date()
            held.save(by=by, at=at)
            held = None
        held = held or Membership(player=player, federation_id=player.federation_id, since=at.date())
        for name, value in values.items():
            setattr(held, name, value)
        held.save(by=by, at=at)
    return held


def end_left_memberships(players: Iterable[int], *, on: date) -> None:
    """End what players have in the registers of federations that they have left: their numbers are free again."""
    _end_left(Membership.objects.filter(player__in=ids_subquery(players)), on=on)


def _end_left(rows: QuerySet[Membership], *, on: date) -> None:
    _end(rows.filter(until=None).exclude(player__federation=F("federation")), on=on)


def _end(rows: QuerySet[Membership], *, on: date) -> None:
    # None is of no day at all.
    rows.filter(since__gte=on).delete()
    rows.update(until=on)


def move_memberships(going: Player, *, into: Player, on: date) -> None:
    """Give the memberships of a merged player to the successor; one who has a present one keeps that."""
    held = Membership.objects.filter(player=into, until=None).values_list("federation", flat=True)
    second = Membership.objects.filter(player=going, until=None, federation__in=[*held])
    _end(second, on=on)
    Membership.objects.filter(player=going).update(player=into)


def membership_refusals(number: str, club: str, district: str) -> Iterator[Refusal]:
    """Yield why a national number, a club or a district is not taken."""
    if number.strip() and not NUMBER.fullmatch(number.strip().upper()):
        yield Refusal("number", _("Enter at most 20 letters and digits."), "number")
    yield from text_refusals({"club": club, "district": district})


# Who is in the registers of federations.
def members_of(*, federation: str = "", club: str = "", district: str = "") -> QuerySet[Membership]:
    """Return the memberships of today in a federation, a club, a district: in what of these has a name here."""
    names = {"federation": federation, "club": club, "district": district}
    return Membership.objects.present().filter(**{name: value for name, value in names.items() if value})


def memberships_of(player_ids: Iterable[int]) -> dict[int, Membership]:
    """Return the memberships that players have in their federations today, in one query."""
    rows = Membership.objects.present().filter(player__in=ids_subquery(player_ids))
    return {membership.player_id: membership for membership in rows}


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
