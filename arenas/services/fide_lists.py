"""What FIDE lists give the members of the FIDE Online Arena: first ratings and changes (FOA 3.4, 3.5, 3.15)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from fractions import Fraction

from django.db import transaction
from django.db.models import QuerySet

from arenas.choices import Cause, RatingSystem
from arenas.models import Arena, Member
from arenas.services.ledger import Ledger, start_of
from core.bulk import ids_subquery
from ratings.choices import ListKind, Origin
from ratings.models import Calculation, ListEntry, RatingList
from ratings.systems import foa_rbb


class ListsInForce:
    """The lists of each kind by date, read once."""

    def __init__(self) -> None:
        self._lists: dict[str, list[tuple[date, int]]] = {kind: [] for kind in ListKind.values}
        for kind, on, pk in RatingList.objects.order_by("date").values_list("kind", "date", "pk"):
            self._lists[kind].append((on, pk))

    def date_of(self, kind: str, day: date) -> date | None:
        """Return the date of the list of a kind in force on a day."""
        found = self._in_force(kind, day)
        return found[0] if found else None

    def ratings(self, members: Iterable[Member]) -> dict[int, Mapping[str, int | None]]:
        """Return the ratings by kind, on the lists in force on joining, of the members who are FIDE players."""
        wanted = {
            (member.pk, kind): (found[1], member.player_id)
            for member in members
            if member.player_id is not None
            for kind in ListKind.values
            if (found := self._in_force(kind, member.joined))
        }
        entries = self._entries(set(wanted.values()))
        ratings: dict[int, dict[str, int | None]] = {}
        for (member_id, kind), key in wanted.items():
            ratings.setdefault(member_id, {})[kind] = entries.get(key)
        return dict(ratings)

    def _in_force(self, kind: str, day: date) -> tuple[date, int] | None:
        """The newest list dated on or before the day (RULES, the list in force)."""
        return next((found for found in reversed(self._lists[kind]) if found[0] <= day), None)

    def _entries(self, keys: set[tuple[int, int]]) -> dict[tuple[int, int], int | None]:
        rows = ListEntry.objects.listed().filter(
            rating_list__in={rating_list for rating_list, _ in keys},
            player__in=ids_subquery({player for _, player in keys}),
        )
        return {(row[0], row[1]): row[2] for row in rows.values_list("rating_list_id", "player_id", "rating")}


def give_first_ratings(ledger: Ledger, members: Iterable[Member], lists: ListsInForce) -> None:
    """Give new members of an arena of `foa-rbb` their first ratings; other systems begin without lists.

    The list of the category's own kind that is in force counts as taken in: its change is in the rating (D-43).
    """
    if ledger.arena.system != RatingSystem.FOA_RBB:
        return
    members = list(members)
    ratings = lists.ratings(members)
    for member in members:
        for category in foa_rbb.CATEGORIES:
            own_kind = category if category in ListKind.values else None
            list_date = lists.date_of(own_kind, member.joined) if own_kind else None
            outcome = foa_rbb.first_state(category, ratings.get(member.pk, {}), list_date=list_date)
            seat = ledger.seat(member.pk, category)
            ledger.move(seat, outcome, Cause.FIRST, on=start_of(member.joined))


ADJUSTED_KINDS = (ListKind.RAPID, ListKind.BLITZ)


def adjust_arenas(rating_list: RatingList, *, at: datetime) -> None:
    """Add each member's unrounded change on a published list once: rapid to rapid, blitz to blitz.

    An imported list, an initial rating and a member unrated in the category add nothing.
    """
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        _adjust_members(arena, rating_list, Member.objects.filter(arena=arena), at=at)


def catch_up(arena: Arena, members: Sequence[Member], *, at: datetime) -> None:
    """Add what was published after members joined and before they were entered."""
    if arena.system != RatingSystem.FOA_RBB or not members:
        return
    first = min(member.joined for member in members)
    later = RatingList.objects.filter(origin=Origin.PUBLISHED, kind__in=ADJUSTED_KINDS, date__gt=first)
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
        if outcome.state == seat.state:
            continue
        ledger.move(seat, outcome, Cause.LIST, on=on)
        seat.settle((on, ""))
    ledger.save()


def _changes_by_player(rating_list: RatingList, arena: Arena) -> dict[int, int]:
    """Return the unrounded changes of the arena's players, corrections included, in hundredths."""
    rows = Calculation.objects.filter(
        rating_list=rating_list, base_rating__isnull=False, player__arena_members__arena=arena
    ).values_list("player_id", "change_hundredths", "correction_hundredths")
    return {player_id: change + correction for player_id, change, correction in rows if change + correction}
