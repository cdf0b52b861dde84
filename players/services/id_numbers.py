"""FIDE IDs for new players: the next free number of the federation's block, with its check digit (docs/adr/0012)."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Count, F, IntegerField, Max
from django.db.models.functions import Cast
from django.utils.translation import gettext as _

from core.errors import refused
from players.models import Federation, IdBlock, Player

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
    return _full_is_none(IdBlock(federation=federation, prefix=row["prefix"], next_serial=serial))


def _full_is_none(block: IdBlock) -> IdBlock | None:
    block.save()
    return block if block.next_serial < SERIALS else None


def _new_block(federation: Federation) -> IdBlock:
    highest = IdBlock.objects.filter(prefix__gte=FIRST_OWN_PREFIX).aggregate(last=Max("prefix"))["last"]
    prefix = (highest or FIRST_OWN_PREFIX - 1) + 1
    if prefix > LAST_PREFIX:
        raise refused("no-number-left", _("There is no free block of FIDE IDs left."))
    with transaction.atomic():
        return IdBlock.objects.create(federation=federation, prefix=prefix)
