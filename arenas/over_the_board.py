"""What published lists over the board add to the ratings of an arena's members (FOA 3.15)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver

from arenas.choices import Cause, RatingSystem
from arenas.ledger import Ledger, start_of
from arenas.models import Arena, Member
from arenas.monthly_lists import publish_due_lists
from core.sql import ids_subquery
from players.merging import players_merged
from players.models import Player
from ratings.choices import ListKind, Origin
from ratings.models import Calculation, CorrectionLine, RatingList
from ratings.publish.publish import list_published
from ratings.systems.online import foa_rbb

ADJUSTED_KINDS = (ListKind.RAPID, ListKind.BLITZ)


def adjust_arenas(rating_list: RatingList, *, at: datetime) -> None:
    """Add each member's unrounded change on a published list once: rapid to rapid, blitz to blitz.

    An imported list, an initial rating and a member unrated in the category add nothing.
    """
    # The list has the change under the ID that stays: members must be found by it.
    follow_merged_ids(at=at)
    # In the order of keys, in which every publication locks the members of arenas.
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        _adjust_members(arena, rating_list, Member.objects.filter(arena=arena), at=at)


@receiver(players_merged)
@transaction.atomic
def follow_merged_ids(*, at: datetime, **kwargs: Any) -> None:
    """Let members of merged FIDE IDs follow the person, and add once what they missed until then (D-126)."""
    left = Member.objects.filter(player__merged_into__isnull=False).select_related("arena", "player")
    moved: dict[Arena, list[Member]] = defaultdict(list)
    for member in left.order_by("pk"):
        member.player_id = member.player.merged_into_id if member.player else None
        member.save(update_fields=["player"])
        moved[member.arena].append(member)
    for arena, members in moved.items():
        catch_up(arena, members, at=at)


def ids_of_persons(player_ids: Iterable[int]) -> dict[int, int]:
    """Return the person of each FIDE ID that some players have or had."""
    persons = {player_id: player_id for player_id in player_ids}
    merged = Player.objects.filter(merged_into__in=ids_subquery(persons))
    return persons | {old: person or 0 for old, person in merged.values_list("pk", "merged_into")}


def catch_up(arena: Arena, members: Sequence[Member], *, at: datetime) -> None:
    """Add what was published after members joined and before they were entered, under any FIDE ID of theirs."""
    if arena.system != RatingSystem.FOA_RBB or not members:
        return
    first = min(member.joined for member in members)
    ids = ids_of_persons(member.player_id for member in members if member.player_id is not None)
    calculated = Calculation.objects.filter(player__in=ids_subquery(ids)).order_by()
    later = RatingList.objects.filter(origin=Origin.PUBLISHED, kind__in=ADJUSTED_KINDS, date__gt=first)
    # Lists on which none of them played change nothing.
    later = later.filter(pk__in=calculated.values("rating_list"))
    for rating_list in later.order_by("date", "kind"):
        joined = ids_subquery(member.pk for member in members if member.joined < rating_list.date)
        _adjust_members(arena, rating_list, Member.objects.filter(pk__in=joined), at=at)


@transaction.atomic
def _adjust_members(
    arena: Arena, rating_list: RatingList, members: QuerySet[Member], *, at: datetime
) -> None:
    if rating_list.origin != Origin.PUBLISHED or rating_list.kind not in ADJUSTED_KINDS:
        return
    changes = _changes_by_player(rating_list, arena)
    if not changes:
        return
    ledger = Ledger(arena, at=at)
    on = start_of(rating_list.date)
    for member in ledger.lock(members.filter(player__in=ids_subquery(changes))):
        seat = ledger.seat(member.pk, rating_list.kind)
        change = Fraction(changes[member.player_id or 0], 100)
        outcome = foa_rbb.adjust(seat.state, change, list_date=rating_list.date)
        # The list is in the rating already: its receiver may run again.
        if outcome.state == seat.state:
            continue
        ledger.move(seat, outcome, Cause.LIST, on=on)
        # A game of before 00:00 UTC of the list's date is late from now on.
        seat.settle((on, ""))
    ledger.save()


def _changes_by_player(rating_list: RatingList, arena: Arena) -> dict[int, int]:
    """Return the unrounded changes of the arena's players in hundredths, with those of corrections.

    Corrections of initial ratings do not count; the change of a lost first rating by standard rating is reversed
    (D-103). What was played under a FIDE ID that was merged since is the person's (D-126).
    """
    by_id: dict[tuple[int, int], int] = {}
    corrected: dict[tuple[int, int], tuple[int, ...]] = {}
    for whose in ("player", "player__merged_into"):
        rows = Calculation.objects.filter(
            rating_list=rating_list, **{f"{whose}__arena_members__arena": arena}
        )
        for person, player_id, base, change, correction, kept in rows.values_list(
            whose, "player", "base_rating", "change_hundredths", "correction_hundredths", "found"
        ):
            by_id[person, player_id] = 0 if base is None else change
            if kept.lines:
                corrected[person, player_id] = kept.lines
            elif base is not None:
                by_id[person, player_id] += correction
    lines = CorrectionLine.objects.filter(
        pk__in=ids_subquery({pk for numbers in corrected.values() for pk in numbers})
    )
    brought = dict(lines.values_list("pk", "change_hundredths"))
    found: dict[int, int] = defaultdict(int)
    for key, change in by_id.items():
        found[key[0]] += change + sum(brought[pk] for pk in corrected.get(key, ()))
    return {person: change for person, change in found.items() if change}


@receiver(list_published)
def add_changes_over_the_board(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """Add the changes of a published list to the ratings of members, in the publishing transaction (FOA 3.15).

    Then publish the monthly lists of arenas that waited for it.
    """
    adjust_arenas(rating_list, at=at)
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        publish_due_lists(arena, at=at)
