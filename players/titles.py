"""Titles that FIDE granted: recorded with their day, shown by the lists dated on that day or later.

A list shows the titles that the player has when it is published. So a title comes to the player when the first list
that may show it is published, not when it is recorded; published lists stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused, refusing_second
from players.choices import Sex, Title
from players.models import Player, TitleGrant
from players.permissions import is_staff, refuse_merged

# The Tit column of FIDE's lists shows the first of these that a player has, WTit the first of the women's.
ORDER = ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM", "WH")
OPEN = ("GM", "IM", "FM", "CM")
WOMENS = ("WGM", "WIM", "WFM", "WCM", "WH")
FIRST_TITLES = date(1950, 1, 1)
MAX_DAYS_AHEAD = timedelta(days=366)


def grant_title(
    player: Player, title: Title, *, granted_on: date, reference: str, by: Any, at: datetime
) -> TitleGrant:
    """Record a title with the day from which lists show it. `RefusedError` where it cannot be, or is there."""
    if not is_staff(by):
        raise refused("staff-only", _("Only FIDE staff can enter titles."))
    refusals = [*_refusals(player, title, granted_on, at.date())]
    if not reference.strip():
        refusals.append(Refusal("reference-missing", _("Enter the decision."), "reference"))
    if refusals:
        raise RefusedError(refusals)
    second = Refusal("granted-already", _("The player already has this title."), "title")
    with refusing_second(second):
        made: TitleGrant = TitleGrant.objects.create(
            player=player, title=title, granted_on=granted_on, reference=reference.strip(), by=by, at=at
        )
    return made


def apply_due_titles(*, on: date, after: date, recorded_after: datetime, at: datetime) -> int:
    """Give the players the titles that the lists of a day show for the first time; return how many changed.

    Those are the titles from a day after `after` on, and earlier ones recorded later than an instant. Called again
    it changes nothing.
    """
    # Only what is new since then: a title that staff corrected afterwards is not given again.
    new = TitleGrant.objects.filter(Q(granted_on__gt=after) | Q(at__gt=recorded_after), granted_on__lte=on)
    with transaction.atomic():
        ids = new.values("player")
        players = Player.objects.select_for_update(of=("self",)).filter(pk__in=ids).order_by("pk")
        titles: dict[int, set[str]] = {}
        for player_id, title in new.values_list("player_id", "title"):
            titles.setdefault(player_id, set()).add(title)
        return sum(_record_titles(player, titles[player.pk], at=at) for player in players)


def _record_titles(player: Player, new: set[str], *, at: datetime) -> bool:
    held = {str(player.title), str(player.women_title), *new} - {""}
    title = next((one for one in ORDER if one in held), "")
    womens = next((one for one in WOMENS if one in held), "")
    if (title, womens) == (player.title, player.women_title):
        return False
    player.title, player.women_title = title, womens
    player.save(update_fields=["title", "women_title"], at=at)
    return True


def _refusals(player: Player, title: str, granted_on: date, today: date) -> Iterator[Refusal]:
    refuse_merged(player)
    ranks = WOMENS if title in WOMENS else OPEN
    held = [one for one in (player.title, player.women_title) if one in ranks]
    if any(ranks.index(one) <= ranks.index(title) for one in held):
        yield Refusal("held-already", _("The player already has this title or a higher one."), "title")
    if title in WOMENS and player.sex == Sex.MALE:
        yield Refusal("womens-title", _("This title is for women. The player is recorded as male."), "title")
    if not FIRST_TITLES <= granted_on <= today + MAX_DAYS_AHEAD:
        yield Refusal("day-of-title", _("Enter a date from 1950 to one year from today."), "granted_on")
