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


def next_fide_id(federation: Federation) -> int:
    """Reserve and return the next free FIDE ID of a federation; the caller opens the transaction.

    The federation's row is locked, so that two registrations at once get two numbers.
    """
    Federation.objects.select_for_update().get(pk=federation.pk)
    while True:
        block = _open_block(federation)
        for serial in range(block.next_serial, SERIALS):
            number = block.prefix * SERIALS + serial
            fide_id = number * 10 + check_digit(number)
            # Numbers that came with a list of FIDE's are passed over.
            if not Player.objects.filter(pk=fide_id).exists():
                IdBlock.objects.filter(pk=block.pk).update(next_serial=serial + 1)
                return fide_id
        IdBlock.objects.filter(pk=block.pk).update(next_serial=SERIALS)


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
