"""Players who look like one person, and those who are not, as FIDE staff found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from core.errors import refused
from players.choices import Area, Deed
from players.federations import who_left
from players.models import DistinctPlayers, Player
from players.models.log import record_act
from players.permissions import is_staff
from players.spelling import words_of


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


# Suspected duplicates: players of one federation who may be one person, but for those that staff told apart.
SHOWN = 100
# A name of one word says too little.
MIN_WORDS = 2


class Suspicion(StrEnum):
    """Why two records may be of one person."""

    # The same words in the name, and no other year of birth or sex.
    NAME = "name"
    # The same date of birth and sex, and a word of the name.
    BIRTHDAY = "birthday"
    # As `NAME`, and one of them has left the federation.
    TRANSFER = "transfer"


@dataclass(frozen=True, slots=True)
class Suspects:
    """Two players who may be one; `other` has the higher FIDE ID."""

    player: Player
    other: Player
    why: Suspicion


@dataclass(frozen=True, slots=True)
class _Row:
    """What is compared of a player."""

    fide_id: int
    words: tuple[str, ...]
    sex: str
    year: int | None
    born: date | None
    has_left: bool

    def may_be(self, other: _Row) -> bool:
        """Whether sex and year of birth do not tell the two apart."""
        is_same_sex = not self.sex or not other.sex or self.sex == other.sex
        return is_same_sex and (self.year is None or other.year is None or self.year == other.year)


def suspected_duplicates(federation: str) -> list[Suspects]:
    """Return pairs of players of a federation who may be one person, at most `SHOWN`, by name; four queries.

    Those whom an agreed transfer took to another federation are compared, too. Those who died or were merged and pairs
    that staff told apart are left out. Every player of the federation is read: it takes a second for a hundred
    thousand.
    """
    rows = list(_rows(federation))
    told_apart = set(distinct_pairs(federation).values_list("player", "other"))
    pairs: dict[tuple[int, int], tuple[tuple[str, ...], Suspicion]] = {}
    for one, other in _pairs(rows, lambda row: row.words if len(row.words) >= MIN_WORDS else None):
        why = Suspicion.TRANSFER if one.has_left or other.has_left else Suspicion.NAME
        pairs[one.fide_id, other.fide_id] = (one.words, why)
    for one, other in _pairs(rows, lambda row: row.born):
        if set(one.words) & set(other.words):
            pairs.setdefault((one.fide_id, other.fide_id), (one.words, Suspicion.BIRTHDAY))
    found = sorted((words, pair, why) for pair, (words, why) in pairs.items() if pair not in told_apart)[
        :SHOWN
    ]
    players = Player.objects.in_bulk({fide_id for _words, pair, _why in found for fide_id in pair})
    return [Suspects(players[one], players[other], why) for _words, (one, other), why in found]


def distinct_pairs(federation: str) -> QuerySet[DistinctPlayers]:
    """Return the pairs that staff told apart, of which one is in a federation, the newest first."""
    here = Q(player__federation=federation) | Q(other__federation=federation)
    rows = DistinctPlayers.objects.filter(here, player__merged_into=None, other__merged_into=None)
    return rows.select_related("player", "other").order_by("-at", "-pk")


def _rows(federation: str) -> Iterator[_Row]:
    """Yield the players of a federation by FIDE ID, and those who have left it."""
    is_here = Q(federation=federation) | Q(pk__in=who_left([federation]))
    rows = Player.objects.filter(is_here, merged_into=None, died_on=None)
    fields = ("pk", "name", "sex", "birth_year", "birth_date", "federation")
    # In this order, so that the lower FIDE ID of a pair is first, as in `DistinctPlayers`.
    for fide_id, name, sex, year, born, code in rows.order_by("pk").values_list(*fields).iterator():
        words = tuple(sorted(words_of(name)))
        yield _Row(fide_id, words, sex, year, born, has_left=code != federation)


def _pairs(rows: Iterable[_Row], key: Callable[[_Row], Hashable | None]) -> Iterator[tuple[_Row, _Row]]:
    """Yield the pairs with the same key that may be one person; one of them is in the federation."""
    groups: dict[Hashable, list[_Row]] = defaultdict(list)
    for row in rows:
        if (value := key(row)) is not None:
            groups[value].append(row)
    for group in groups.values():
        for place, one in enumerate(group):
            for other in group[place + 1 :]:
                if one.may_be(other) and not (one.has_left and other.has_left):
                    yield one, other
