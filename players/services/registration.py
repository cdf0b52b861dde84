"""New players: compared with those known, given a FIDE ID, or put before FIDE staff where they are too alike.

A FIDE ID is the next free number of the federation's block, with its check digit (docs/adr/0012)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, F, IntegerField, Max
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from core.errors import RefusedError, refused
from players.choices import ApplicationState
from players.models import Application, Federation, IdBlock, Player
from players.permissions import can_act_for, is_staff
from players.queries.likeness import NEEDS_STAFF, DuplicateMatch, find_possible_duplicates, view_of
from players.services.names import name_refusals, write_name_words

SERIALS = 10_000
# Blocks of federations that have no number of their own yet begin here; FIDE's own stand below.
FIRST_OWN_PREFIX, LAST_PREFIX = 900, 999


def check_digit(number: int) -> int:
    """Return the last digit of the ID that begins with these digits: weights n, n-1, ... 2 from the left."""
    digits = str(number)
    weighted = sum((len(digits) + 1 - place) * int(digit) for place, digit in enumerate(digits))
    return (11 - weighted % 11) % 11 % 10


def next_fide_id(federation: Federation) -> int:
    """Take and return the next free FIDE ID of a federation; the caller holds the transaction.

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
    """Return the block in which most of the federation's players stand, from its highest number on."""
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
        raise refused("no-number-left", _("No free block of FIDE IDs is left."))
    with transaction.atomic():
        return IdBlock.objects.create(federation=federation, prefix=prefix)


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """What an officer says of a new player; the full birth date stays at the desk."""

    name: str
    federation: Federation
    sex: str
    birth_date: date


def register_player(
    new: NewPlayer, *, is_another_person: bool, by: Any, at: datetime
) -> Player | Application | list[DuplicateMatch]:
    """Give a new player a FIDE ID and return the player.

    Returns those who are alike where the officer has not said that this is another person, and an application
    that waits for FIDE staff where one is too alike for an officer to decide.
    """
    if not can_act_for(by, new.federation.code):
        raise refused("not-your-federation", _("You do not act for this federation."), "federation")
    if wrong := [*name_refusals(new.name, by_staff=is_staff(by))]:
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
        waiting = Application.objects.filter(pk=application.pk, state=ApplicationState.WAITING)
        held = waiting.select_for_update().select_related("federation").first()
        if held is None or held.birth_date is None:
            return None
        player = create_player(NewPlayer(held.name, held.federation, held.sex, held.birth_date))
        waiting.update(
            state=ApplicationState.APPROVED, birth_date=None, decided_by=by, decided_at=at, player=player
        )
    return player


def refuse(application: Application, *, reason: str, by: Any, at: datetime) -> bool:
    """Refuse an application with a reason and return whether this call did."""
    _check_staff(by)
    if not reason.strip():
        raise refused("reason-missing", _("Enter a reason. The rating officer will see it."), "reason")
    waiting = Application.objects.filter(pk=application.pk, state=ApplicationState.WAITING)
    refusal = {"state": ApplicationState.REFUSED, "reason": reason.strip(), "birth_date": None}
    return bool(waiting.update(decided_by=by, decided_at=at, **refusal))


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
                applied_by=by,
                applied_at=at,
            )
    except IntegrityError:
        return Application.objects.get(
            name=new.name,
            federation=new.federation,
            birth_date=new.birth_date,
            state=ApplicationState.WAITING,
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
