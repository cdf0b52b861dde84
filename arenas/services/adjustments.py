"""What a published FIDE list adds to the ratings of the FIDE Online Arena (FOA 3.15, D-43)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction

from django.db import transaction
from django.db.models import QuerySet

from arenas.choices import Cause, RatingSystem
from arenas.models import Arena, Member
from arenas.services.ledger import Ledger, start_of
from core.bulk import among
from ratings.choices import ListKind, Origin
from ratings.models import Calculation, RatingList
from ratings.systems import foa_rbb

ADJUSTED_KINDS = (ListKind.RAPID, ListKind.BLITZ)


def adjust_arenas(rating_list: RatingList, *, at: datetime) -> None:
    """Add each member's unrounded change on a published list once: rapid to rapid, blitz to blitz.

    An imported list, an initial rating and a member unrated in the category add nothing.
    """
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        _adjust(arena, rating_list, Member.objects.filter(arena=arena), at=at)


def catch_up(arena: Arena, members: Sequence[Member], *, at: datetime) -> None:
    """Add what was published after members joined and before they were entered."""
    if arena.system != RatingSystem.FOA_RBB or not members:
        return
    first = min(member.joined for member in members)
    later = RatingList.objects.filter(origin=Origin.PUBLISHED, kind__in=ADJUSTED_KINDS, date__gt=first)
    for rating_list in later.order_by("date", "kind"):
        joined = among(member.pk for member in members if member.joined < rating_list.date)
        _adjust(arena, rating_list, Member.objects.filter(pk__in=joined), at=at)


@transaction.atomic
def _adjust(arena: Arena, rating_list: RatingList, members: QuerySet[Member], *, at: datetime) -> None:
    if rating_list.origin != Origin.PUBLISHED or rating_list.kind not in ADJUSTED_KINDS:
        return
    changes = _changes(rating_list, arena)
    if not changes:
        return
    ledger = Ledger(arena, at=at)
    on = start_of(rating_list.date)
    for member in ledger.lock(members.filter(player__in=among(changes))):
        seat = ledger.seat(member.pk, rating_list.kind)
        change = Fraction(changes[member.player_id or 0], 100)
        outcome = foa_rbb.adjust(seat.state, change, list_date=rating_list.date)
        if outcome.state == seat.state:
            continue
        ledger.move(seat, outcome, Cause.LIST, on=on)
        seat.settle((on, ""))
    ledger.save()


def _changes(rating_list: RatingList, arena: Arena) -> dict[int, int]:
    """Return the unrounded changes of the arena's players, corrections included, in hundredths."""
    rows = Calculation.objects.filter(
        rating_list=rating_list, base_rating__isnull=False, player__arena_members__arena=arena
    ).values_list("player_id", "change_hundredths", "correction_hundredths")
    return {player_id: change + correction for player_id, change, correction in rows if change + correction}
