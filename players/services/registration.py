"""Registration of players, one by one and many from a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, IntegerField, Max
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from core.errors import Refusal, RefusedError, refused
from players.choices import CaseState
from players.models import Application, Federation, IdBlock, Player
from players.name_doubts import NameDoubt, doubt_about
from players.permissions import can_act_for, is_staff
from players.queries.likeness import (
    NEEDS_STAFF,
    WARNING,
    DuplicateMatch,
    LikenessSearch,
    compare_player,
    find_possible_duplicates,
    view_of,
)
from players.services.cases import close_case
from players.services.names import doubt_refusals, name_refusals, write_name_words
from players.spelling import words_of

SERIALS = 10_000
# Blocks of federations without a block start here; those of FIDE are below.
FIRST_OWN_PREFIX, LAST_PREFIX = 900, 999


def check_digit(number: int) -> int:
    """Return the last digit of the ID that begins with these digits: weights n, n-1, ... 2 from the left."""
    digits = str(number)
    weighted = sum((len(digits) + 1 - place) * int(digit) for place, digit in enumerate(digits))
    return (11 - weighted % 11) % 11 % 10


def next_fide_id(federation: Federation) -> int:
    """Reserve and return the next free FIDE ID of a federation; the caller opens the transaction.

    The federation's row is locked, so that two registrations at once get two numbers.
    """
    Federation.objects.select_for_update().get(pk=federation.pk)
    while True:
        block = _open_block(federation)
        for serial in range(block.next_serial, SERIALS):
            fide_id = _fide_id(block.prefix, serial)
            if not Player.objects.filter(pk=fide_id).exists():
                IdBlock.objects.filter(pk=block.pk).update(next_serial=serial + 1)
                return fide_id
        IdBlock.objects.filter(pk=block.pk).update(next_serial=SERIALS)


def _fide_id(prefix: int, serial: int) -> int:
    number = prefix * SERIALS + serial
    return number * 10 + check_digit(number)


def _open_block(federation: Federation) -> IdBlock:
    there = IdBlock.objects.filter(federation=federation)
    block = there.filter(next_serial__lt=SERIALS).first()
    if block is not None:
        return block
    return (None if there.exists() else _known_block(federation)) or _new_block(federation)


def _known_block(federation: Federation) -> IdBlock | None:
    """Return the block with most of the federation's players, from its highest number on."""
    prefixes = Player.objects.filter(federation=federation, fide_id__lt=100_000_000, fide_id__gte=100_000)
    counted = (
        prefixes.annotate(prefix=Cast(F("fide_id") / 100_000, IntegerField()))
        .values("prefix")
        .annotate(players=Count("pk"))
        .order_by("-players", "prefix")
    )
    row = counted.first()
    if row is None or IdBlock.objects.filter(prefix=row["prefix"]).exists():
        return None
    low = row["prefix"] * 100_000
    within = Player.objects.filter(fide_id__gte=low, fide_id__lt=low + 100_000)
    highest = within.aggregate(highest=Max("fide_id"))["highest"]
    serial = min((highest - low) // 10 + 1, SERIALS)
    return _saved_unless_full(IdBlock(federation=federation, prefix=row["prefix"], next_serial=serial))


def _saved_unless_full(block: IdBlock) -> IdBlock | None:
    block.save()
    return block if block.next_serial < SERIALS else None


def _new_block(federation: Federation) -> IdBlock:
    highest = IdBlock.objects.filter(prefix__gte=FIRST_OWN_PREFIX).aggregate(last=Max("prefix"))["last"]
    prefix = (highest or FIRST_OWN_PREFIX - 1) + 1
    if prefix > LAST_PREFIX:
        raise refused("no-number-left", _("No free block of FIDE IDs is left. Write to FIDE staff."))
    with transaction.atomic():
        return IdBlock.objects.create(federation=federation, prefix=prefix)


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """The data of a new player; the full birth date is not public.

    `is_name_confirmed` where whoever enters the name says that it is right, although it looks wrong.
    """

    name: str
    federation: Federation
    sex: str
    birth_date: date
    is_name_confirmed: bool = False

    def name_refusals(self, by: Any) -> Iterator[Refusal]:
        """Yield why the name is not taken, or looks wrong and was not confirmed."""
        yield from name_refusals(self.name, by_staff=is_staff(by), field="surname")
        if not self.is_name_confirmed:
            yield from doubt_refusals(self.name, field="surname")


def register_player(
    new: NewPlayer, *, is_another_person: bool, by: Any, at: datetime
) -> Player | Application | list[DuplicateMatch]:
    """Register a new player with a FIDE ID and return the player.

    Return the possible duplicates unless the officer confirmed a different person, and an application for FIDE staff
    if the match score is too high for an officer to decide.
    """
    if not can_act_for(by, new.federation.code):
        raise refused("not-your-federation", _("You do not act for this federation."), "federation")
    if wrong := [*new.name_refusals(by)]:
        raise RefusedError(wrong)
    if new.birth_date > at.date():
        raise refused("born-later", _("The date must be today or earlier."), "birth_date")
    with transaction.atomic():
        # Two who register the same person at once: the second sees what the first did.
        Federation.objects.select_for_update().get(pk=new.federation.pk)
        found = find_possible_duplicates(
            new.name,
            birth_date=new.birth_date,
            federation_code=new.federation.code,
            view=view_of(by, on=at.date()),
        )
        if found and not is_another_person:
            return found
        if found and found[0].score >= NEEDS_STAFF and not is_staff(by):
            return create_id_application(new, found[0], by=by, at=at)
        return create_player(new)


def approve(application: Application, *, by: Any, at: datetime) -> Player | None:
    """Give the applicant a FIDE ID and return the player; None where somebody decided before.

    The birth date is the player's from then on: a decided application keeps none.
    """
    _check_staff(by)
    with transaction.atomic():
        Federation.objects.select_for_update().get(pk=application.federation_id)
        waiting = Application.objects.filter(pk=application.pk, state=CaseState.WAITING)
        held = waiting.select_for_update().select_related("federation").first()
        if held is None or held.birth_date is None:
            return None
        player = create_player(NewPlayer(held.name, held.federation, held.sex, held.birth_date))
        close_case(held, CaseState.APPROVED, by=by, at=at, birth_date=None, player=player)
    return player


def refuse(application: Application, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse an application with a reason and return whether this call did."""
    _check_staff(by)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    return close_case(application, CaseState.REFUSED, answer=reason, by=by, at=at, birth_date=None)


def _check_staff(by: Any) -> None:
    if not is_staff(by):
        raise refused("staff-only", _("FIDE staff decide."))


def create_id_application(new: NewPlayer, nearest: DuplicateMatch, *, by: Any, at: datetime) -> Application:
    """Make an application that FIDE staff decide, or return the one that waits already."""
    try:
        with transaction.atomic():
            return Application.objects.create(
                name=new.name,
                federation=new.federation,
                sex=new.sex,
                birth_date=new.birth_date,
                score=nearest.score,
                likeness=nearest.player,
                asked_by=by,
                asked_at=at,
            )
    except IntegrityError:
        return Application.objects.get(
            name=new.name,
            federation=new.federation,
            birth_date=new.birth_date,
            state=CaseState.WAITING,
        )


def create_player(new: NewPlayer) -> Player:
    """Register a new player with the next FIDE ID of the federation; the caller has looked for the person."""
    player = Player.objects.create(
        fide_id=next_fide_id(new.federation),
        name=new.name,
        federation=new.federation,
        sex=new.sex,
        birth_date=new.birth_date,
        birth_year=new.birth_date.year,
    )
    write_name_words([(player.fide_id, new.name)])
    return player


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
    players, applied = _registered(rows.values()), _waiting(rows.values())
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
        done.registered[line] = create_player(prospect.new)
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


def _registered(rows: Iterable[NewPlayer]) -> dict[Key, Player]:
    """Return the players of the federations who have the birth date and name of a row."""
    wanted = {_key(new.name, new.federation.code, new.birth_date) for new in rows}
    days, codes = {key[2] for key in wanted}, {key[1] for key in wanted}
    years = {day.year for day in days}
    born = Player.objects.filter(
        federation__in=codes, birth_year__in=years, birth_date__in=days, merged_into=None
    )
    found: dict[Key, Player] = {}
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
