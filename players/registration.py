"""Registration of a player with a FIDE ID."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, F, IntegerField, Max
from django.db.models.functions import Cast
from django.dispatch import Signal
from django.utils.translation import gettext as _

from core.bulk import write_rows
from core.errors import Refusal, RefusedError, refused
from players.cases import open_case
from players.choices import CaseState
from players.likeness import NEEDS_STAFF, DuplicateMatch, find_possible_duplicates, view_of
from players.members import membership_refusals, set_membership
from players.models import Application, Federation, IdBlock, Player
from players.models.log import log_added
from players.name_refusals import doubt_refusals, name_refusals, write_name_words
from players.permissions import is_staff, refuse_strangers

SERIALS = 10_000
# Blocks of federations without a block start here; those of FIDE are below.
FIRST_OWN_PREFIX, LAST_PREFIX = 900, 999


def check_digit(number: int) -> int:
    """Return the last digit of the ID that begins with these digits: weights n, n-1, ... 2 from the left."""
    digits = str(number)
    weighted = sum((len(digits) + 1 - place) * int(digit) for place, digit in enumerate(digits))
    return (11 - weighted % 11) % 11 % 10


def next_fide_ids(federation: Federation, count: int) -> list[int]:
    """Reserve and return the next free FIDE IDs of a federation; the caller opens the transaction.

    The federation's row is locked, so that two registrations at once get two numbers.
    """
    # NO KEY: players, tournaments and accounts that name the federation are written meanwhile.
    Federation.objects.select_for_update(no_key=True).get(pk=federation.pk)
    found: list[int] = []
    while len(found) < count:
        block = _open_block(federation)
        first = (block.prefix * SERIALS + block.next_serial) * 10
        following = Player.objects.filter(pk__gte=first, pk__lt=(block.prefix + 1) * SERIALS * 10)
        # Numbers that came with a list of FIDE's are passed over.
        given = set(following.values_list("pk", flat=True))
        for serial in range(block.next_serial, SERIALS):
            number = block.prefix * SERIALS + serial
            block.next_serial = serial + 1
            if (fide_id := number * 10 + check_digit(number)) not in given:
                found.append(fide_id)
            if len(found) == count:
                break
        block.save(update_fields=["next_serial"])
    return found


def _open_block(federation: Federation) -> IdBlock:
    there = IdBlock.objects.filter(federation=federation)
    block = there.filter(next_serial__lt=SERIALS).first()
    if block is not None:
        return block
    return (None if there.exists() else _known_block(federation)) or _new_block(federation)


def _known_block(federation: Federation) -> IdBlock | None:
    """Return the block with most of the federation's players, from its highest number on."""
    # Only IDs of the form of a block: a prefix of up to three digits, four digits, check digit.
    prefixes = Player.objects.filter(federation=federation, fide_id__lt=100_000_000, fide_id__gte=100_000)
    counted = (
        prefixes.annotate(prefix=Cast(F("fide_id") / 100_000, IntegerField()))
        .values("prefix")
        .annotate(players=Count("pk"))
        .order_by("-players", "prefix")
    )
    row = counted.first()
    # A prefix is given out by one federation alone.
    if row is None or IdBlock.objects.filter(prefix=row["prefix"]).exists():
        return None
    low = row["prefix"] * 100_000
    within = Player.objects.filter(fide_id__gte=low, fide_id__lt=low + 100_000)
    highest = within.aggregate(highest=Max("fide_id"))["highest"]
    serial = min((highest - low) // 10 + 1, SERIALS)
    # A full block is stored too, so that the players are not counted again for the next one.
    block = IdBlock.objects.create(federation=federation, prefix=row["prefix"], next_serial=serial)
    return block if serial < SERIALS else None


def _new_block(federation: Federation) -> IdBlock:
    highest = IdBlock.objects.filter(prefix__gte=FIRST_OWN_PREFIX).aggregate(last=Max("prefix"))["last"]
    prefix = (highest or FIRST_OWN_PREFIX - 1) + 1
    if prefix > LAST_PREFIX:
        raise refused("no-number-left", _("No free block of FIDE IDs is left. Write to FIDE staff."))
    with transaction.atomic():
        return IdBlock.objects.create(federation=federation, prefix=prefix)


# Somebody has a FIDE ID from now on: `player`, None for many at once; `at`, and `dispatch` of the work that follows.
player_registered = Signal()


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """The data of a new player; the full birth date is not public.

    `is_name_confirmed` where whoever enters the name says that it is right, although it looks wrong. National number,
    club and district are those in the register of the federation.
    """

    name: str
    federation: Federation
    sex: str
    birth_date: date
    is_name_confirmed: bool = False
    number: str = ""
    club: str = ""
    district: str = ""

    def unregistered(self, number: int = 0) -> Player:
        """Return the player to whom a FIDE ID is to be given."""
        return Player(
            fide_id=number,
            name=self.name,
            federation=self.federation,
            sex=self.sex,
            birth_date=self.birth_date,
            birth_year=self.birth_date.year,
        )

    def refusals(self, by: Any) -> Iterator[Refusal]:
        """Yield what is wrong with name, number and club, and a name that looks wrong and was not confirmed."""
        yield from membership_refusals(self.number, self.club, self.district)
        yield from name_refusals(self.name, by_staff=is_staff(by), field="surname")
        if not self.is_name_confirmed:
            yield from doubt_refusals(self.name, field="surname")


def register_player(
    new: NewPlayer, *, other_than: Collection[int] = (), by: Any, at: datetime
) -> Player | Application | list[DuplicateMatch]:
    """Register a new player with a FIDE ID and return the player.

    Return the possible duplicates unless the officer confirmed a different person than all of them (by FIDE ID), and
    an application for FIDE staff if the match score is too high for an officer to decide.
    """
    refuse_strangers(by, new.federation.code)
    wrong = [*new.refusals(by)]
    if new.birth_date > at.date():
        wrong.append(Refusal("born-later", _("The date must be today or earlier."), "birth_date"))
    if wrong:
        raise RefusedError(wrong)
    with transaction.atomic():
        # Two who register the same person at once: the second sees what the first did.
        Federation.objects.select_for_update(no_key=True).get(pk=new.federation.pk)
        found = find_possible_duplicates(
            new.name,
            birth_date=new.birth_date,
            federation_code=new.federation.code,
            view=view_of(by, on=at.date()),
        )
        # Sent a second time, the same form finds the player that it has made.
        if {one.player.pk for one in found} - set(other_than):
            return found
        if goes_to_staff(found, by):
            return create_id_application(new, found[0], by=by, at=at)
        return create_player(new, by=by, at=at)


def goes_to_staff(found: Sequence[DuplicateMatch], by: Any) -> bool:
    """Return whether FIDE staff decide on a new player, who is too much like one of those found, the likest first."""
    return bool(found) and found[0].score >= NEEDS_STAFF and not is_staff(by)


def create_id_application(new: NewPlayer, nearest: DuplicateMatch, *, by: Any, at: datetime) -> Application:
    """Make an application that FIDE staff decide, or return the one that waits already."""
    made = Application(
        name=new.name,
        federation=new.federation,
        sex=new.sex,
        birth_date=new.birth_date,
        member_number=new.number,
        club=new.club,
        district=new.district,
        score=nearest.score,
        likeness=nearest.player,
        asked_by=by,
        asked_at=at,
    )
    try:
        return open_case(made, second=Refusal("application-waits", ""))
    except RefusedError:
        # The same application, sent twice: the one that waits is the answer.
        return Application.objects.get(state=CaseState.WAITING, key=made.key_of())


def create_player(new: NewPlayer, *, by: Any, at: datetime) -> Player:
    """Register a new player with the next FIDE ID of the federation; the caller has looked for the person.

    `RefusedError` where the national number is another player's.
    """
    player = new.unregistered()
    with transaction.atomic():
        create_players([player], by=by, at=at)
        set_membership(player, number=new.number, club=new.club, district=new.district, by=by, at=at)
    player_registered.send(Player, player=player, at=at, dispatch=None)
    return player


def create_players(players: Sequence[Player], *, by: Any, at: datetime) -> None:
    """Give new players of one federation FIDE IDs in their order; the caller has looked for them, and tells of them."""
    if not players:
        return
    ids = next_fide_ids(players[0].federation, len(players))
    for player, fide_id in zip(players, ids, strict=True):
        player.fide_id = fide_id
    columns = [field.attname for field in Player._meta.concrete_fields]
    rows = ([getattr(player, column) for column in columns] for player in players)
    write_rows(Player, [field.name for field in Player._meta.concrete_fields], rows)
    log_added(players, by=by, at=at)
    write_name_words((player.fide_id, player.name) for player in players)
