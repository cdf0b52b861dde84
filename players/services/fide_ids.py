"""FIDE IDs: the next free number of a federation, from its block."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, F, IntegerField, Max
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from core.errors import refused
from players.models import Federation, IdBlock, Player

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
