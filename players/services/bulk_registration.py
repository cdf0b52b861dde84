"""Registration of many players from a file: all of them or none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from players.choices import CaseState
from players.models import Application, Federation, Player
from players.name_doubts import NameDoubt, doubt_about
from players.permissions import can_act_for
from players.queries.likeness import WARNING, DuplicateMatch, LikenessSearch, compare_player, view_of
from players.services.registration import NewPlayer, create_id_application, create_player
from players.spelling import words_of

Key = tuple[str, str, date]


@dataclass(frozen=True, slots=True)
class RegistrationPreview:
    """The result of a row: the registered `player`, a waiting application, possible duplicates.

    `twin` is the line of a possible duplicate in the same file, with the match score.
    """

    new: NewPlayer
    player: Player | None = None
    has_applied: bool = False
    alike: tuple[DuplicateMatch, ...] = ()
    twin: tuple[int, DuplicateMatch] | None = None

    @property
    def is_done(self) -> bool:
        return self.player is not None or self.has_applied

    @property
    def doubt(self) -> NameDoubt | None:
        """Why the name of a row that is to be registered looks wrong."""
        return None if self.is_done else doubt_about(self.new.name)

    @property
    def is_sure(self) -> bool:
        """Whether the person is surely new and gets an ID."""
        return not self.is_done and not self.alike and self.twin is None

    @property
    def is_doubtful(self) -> bool:
        return not self.is_done and not self.is_sure


@dataclass(slots=True)
class BulkResult:
    """What a file led to, by line: who has an ID now, and whose application waits for FIDE staff."""

    registered: dict[int, Player] = field(default_factory=dict)
    applied: dict[int, Application] = field(default_factory=dict)
    already: dict[int, Player | None] = field(default_factory=dict)


def prospects(rows: Mapping[int, NewPlayer], *, by: Any, on: date) -> dict[int, RegistrationPreview]:
    """Return the result of registering the rows on a day, by line; nothing is written."""
    players, applied = _find_registered(rows.values()), _waiting(rows.values())
    comparison = LikenessSearch(view_of(by, on=on))
    earlier: dict[object, list[tuple[int, NewPlayer]]] = defaultdict(list)
    found: dict[int, RegistrationPreview] = {}
    for line, new in rows.items():
        key = _key(new.name, new.federation.code, new.birth_date)
        if key in players or key in applied:
            found[line] = RegistrationPreview(new, players.get(key), key in applied and key not in players)
            continue
        code = new.federation.code
        alike = comparison.alike(new.name, birth_date=new.birth_date, federation_code=code)
        found[line] = RegistrationPreview(new, alike=tuple(alike), twin=_twin(new, earlier))
        # As with those known: the same words anywhere, or the same year in the federation.
        for place in _places(new):
            earlier[place].append((line, new))
    return found


def register_all(rows: Mapping[int, NewPlayer], *, by: Any, at: datetime) -> BulkResult:
    """Register who is surely new and put the others before FIDE staff, all or nothing; again it changes nothing."""
    if any(not can_act_for(by, new.federation.code) for new in rows.values()):
        raise refused("not-your-federation", _("You do not act for this federation."), "federation")
    done = BulkResult()
    with transaction.atomic():
        codes = {new.federation.code for new in rows.values()}
        # Two who register the same people at once: the second sees what the first did.
        # By code, so that two files with the same federations do not wait for each other.
        list(Federation.objects.select_for_update().filter(pk__in=codes).order_by("pk"))
        planned = prospects(rows, by=by, on=at.date())
        left = [prospect.new for prospect in planned.values() if not prospect.is_done]
        if wrong := [refusal for new in left for refusal in new.name_refusals(by)]:
            raise RefusedError(list(dict.fromkeys(wrong)))
        for line, prospect in planned.items():
            _register_row(line, prospect, done, by=by, at=at)
    return done


def _register_row(
    line: int, prospect: RegistrationPreview, done: BulkResult, *, by: Any, at: datetime
) -> None:
    if prospect.is_done:
        done.already[line] = prospect.player
    elif prospect.is_sure:
        done.registered[line] = create_player(prospect.new, by=by, at=at)
    else:
        nearest = prospect.alike[0] if prospect.alike else _nearest_of_twin(prospect, done)
        done.applied[line] = create_id_application(prospect.new, nearest, by=by, at=at)


def _nearest_of_twin(prospect: RegistrationPreview, done: BulkResult) -> DuplicateMatch:
    """Return the player whom the twin became, or whom the twin's own application is about."""
    if prospect.twin is None:
        raise ValueError("the row has no twin")
    line, alike = prospect.twin
    player = done.registered.get(line) or done.applied[line].likeness
    return DuplicateMatch(player, alike.score, alike.reasons)


def _twin(
    new: NewPlayer, earlier: Mapping[object, list[tuple[int, NewPlayer]]]
) -> tuple[int, DuplicateMatch] | None:
    others = {line: other for place in _places(new) for line, other in earlier.get(place, ())}
    for line, other in sorted(others.items()):
        unsaved = Player(name=other.name, birth_date=other.birth_date, birth_year=other.birth_date.year)
        alike = compare_player(new.name, new.birth_date, unsaved)
        if alike.score >= WARNING:
            return line, alike
    return None


def _places(new: NewPlayer) -> tuple[object, object]:
    return tuple(sorted(words_of(new.name))), (new.federation.code, new.birth_date.year)


def _key(name: str, code: str, born: date) -> Key:
    return name.casefold(), code, born


def _find_registered(rows: Iterable[NewPlayer]) -> dict[Key, Player]:
    """Return the players of the federations who have the birth date and name of a row."""
    wanted = {_key(new.name, new.federation.code, new.birth_date) for new in rows}
    days, codes = {key[2] for key in wanted}, {key[1] for key in wanted}
    years = {day.year for day in days}
    # By year as well, because the index has federation and year.
    born = Player.objects.filter(
        federation__in=codes, birth_year__in=years, birth_date__in=days, merged_into=None
    )
    found: dict[Key, Player] = {}
    # The lowest FIDE ID comes last and is kept.
    for player in born.order_by("-pk"):
        if player.birth_date is not None:
            found[_key(str(player.name), str(player.federation_id), player.birth_date)] = player
    return {key: player for key, player in found.items() if key in wanted}


def _waiting(rows: Iterable[NewPlayer]) -> set[Key]:
    """Return the rows for which an application waits."""
    days, codes = {new.birth_date for new in rows}, {new.federation.code for new in rows}
    waiting = Application.objects.filter(state=CaseState.WAITING, federation__in=codes, birth_date__in=days)
    rows_waiting = waiting.values_list("name", "federation_id", "birth_date")
    return {_key(name, code, born) for name, code, born in rows_waiting if born is not None}
