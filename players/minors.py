"""Years of birth of minors, shown as an age band where the federation or the player asks for it (age-bands.md).

A minor turns 18 or less in the year of the day. Bands are those of youth chess, by the year: U8 to U18.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet, Value
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Area, Deed
from players.claims import claimed_player
from players.models import Federation, HiddenBirthYear, Player
from players.models.log import record_act

BANDS = (8, 10, 12, 14, 16, 18)
BAND_NAMES = tuple(f"U{age}" for age in BANDS)


@dataclass(frozen=True, slots=True)
class Minors:
    """The minors (18 or younger in a year) whose federation, or who themselves, hide the year of birth.

    `people` are FIDE IDs of players who hide it themselves; `seen_by` is a federation that sees its own players' years.
    """

    codes: tuple[str, ...] = ()
    year: int = 0
    people: frozenset[int] = frozenset()
    seen_by: str = ""

    def __bool__(self) -> bool:
        return bool(self.codes or self.people)

    @property
    def first_year(self) -> int:
        """The year of birth of the oldest minors."""
        return self.year - BANDS[-1]

    def hides(self, birth_year: int | None, code: str, fide_id: int | None = None) -> bool:
        """Return whether a year of birth is hidden, of the player with this FIDE ID if given."""
        if birth_year is None or birth_year < self.first_year or code == self.seen_by:
            return False
        return code in self.codes or fide_id in self.people

    def whole_bands(self, first: int | None, last: int | None) -> tuple[int | None, int | None]:
        """Return years of birth, both included, widened to whole age bands, so that no year can be singled out."""
        wide_first = first
        if first is not None and first > self.first_year:
            wide_first = self.year - BANDS[self._band(first)]
        if last is None or last < self.first_year:
            return wide_first, last
        band = self._band(last)
        return wide_first, self.year - BANDS[band - 1] - 1 if band else None

    def without(self, code: str) -> Minors:
        """Return the value for one federation, which sees the years of its own players."""
        return replace(self, codes=tuple(one for one in self.codes if one != code), seen_by=code)

    def name_of(self, birth_year: int) -> str:
        """Return the band of a minor."""
        return BAND_NAMES[self._band(birth_year)]

    def _band(self, birth_year: int) -> int:
        return bisect_left(BANDS, self.year - birth_year)


NOBODY = Minors()


@dataclass(frozen=True, slots=True)
class Birth:
    """What is shown of a birth: the year, or in its place the age band; as text whichever there is."""

    year: int | None = None
    band: str = ""

    def __str__(self) -> str:
        return self.band or str(self.year or "")

    def __bool__(self) -> bool:
        return bool(str(self))


UNKNOWN = Birth()


def minors_on(day: date) -> Minors:
    """Return whose years of birth are not shown on a day, by one query."""
    with connection.cursor() as cursor:
        cursor.execute(*_hidden_years())
        rows = cursor.fetchall()
    codes = tuple(sorted(code for code, _fide_id in rows if code))
    return Minors(codes, day.year, frozenset(sorted(fide_id for _code, fide_id in rows if fide_id)))


@cache
def _hidden_years() -> tuple[str, tuple[Any, ...]]:
    """Return the query of `minors_on` with its parameters, made once: that takes longer than to run it."""
    asking = Federation.objects.filter(hides_birth_years_of_minors=True).order_by()
    hidden = HiddenBirthYear.objects.values("player")
    people = HiddenBirthYear.objects.order_by().values_list(Value(""), "player_id")
    # A separate query: one condition of both would read all players.
    merged = Player.objects.filter(merged_into__in=hidden).order_by().values_list(Value(""), "pk")
    rows = asking.values_list("code", Value(0)).union(people, merged, all=True).order_by()
    return rows.query.sql_with_params()


def who_hide_the_year() -> QuerySet[Player]:
    """Return the players who hide their year of birth, with the FIDE IDs that were merged into theirs."""
    hidden = HiddenBirthYear.objects.values("player")
    return Player.objects.filter(Q(pk__in=hidden) | Q(merged_into__in=hidden)).order_by()


def is_minor(birth_year: int | None, day: date) -> bool:
    """Return whether a player turns 18 or less in the year of the day."""
    return birth_year is not None and birth_year >= Minors(year=day.year).first_year


def shown_birth(birth_year: int | None, code: str, minors: Minors, fide_id: int | None = None) -> Birth:
    """Return what everybody may see of a birth, of a person of the federation with this code."""
    if birth_year is not None and minors.hides(birth_year, code, fide_id):
        return Birth(band=minors.name_of(birth_year))
    return Birth(year=birth_year)


def birth_of(person: Any, minors: Minors) -> Birth:
    """Return what everybody may see of the birth of a player, or of an entry as its list shows it."""
    fide_id = person.fide_id if hasattr(person, "fide_id") else person.player_id
    return shown_birth(person.birth_year, person.federation_id, minors, fide_id)


def without_year(player: Player, minors: Minors) -> Player:
    """Return the player as everybody may see one, never to be saved."""
    if not minors.hides(player.birth_year, player.federation_id, player.pk):
        return player
    shown = copy(player)
    shown.birth_year = None
    return shown


def mask_birth_years(players: Sequence[Player], *, own: str, on: date) -> list[Player]:
    """Return players as the officer of a federation sees them; no query without a minor of another (age-bands.md)."""
    oldest = Minors(year=on.year).first_year
    # Which federations hide years is a query, spared where it could hide none.
    if not any(item.federation_id != own and (item.birth_year or 0) >= oldest for item in players):
        return [*players]
    minors = minors_on(on).without(own)
    return [without_year(item, minors) for item in players]


KEPT = "_minors_not_shown"


def minors_for(request: HttpRequest) -> Minors:
    """Return whose years of birth are not shown today (UTC); one query a request."""
    found: Minors | None = getattr(request, KEPT, None)
    if found is None:
        found = minors_on(timezone.now().date())
        setattr(request, KEPT, found)
    return found


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
