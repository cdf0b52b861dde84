"""The members of an arena, who begin with a first rating in each category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from arenas.choices import Cause, RatingSystem
from arenas.entries import MemberEntry
from arenas.models import Arena, Member, Rating
from arenas.services.ledger import BATCH, Ledger, start_of
from arenas.services.over_the_board import catch_up, ids_of_persons
from core.bulk import batched
from core.sql import ids_subquery
from players.models import Player
from ratings.choices import ListKind
from ratings.queries.in_force import InForce
from ratings.systems.online import foa_rbb


@transaction.atomic
def begin_categories(arena: Arena) -> None:
    """Give every member a newcomer's rating in each category of the arena that has none yet."""
    # NO KEY: games that name the arena are recorded meanwhile.
    Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
    for category in arena.categories:
        without = Member.objects.filter(arena=arena).exclude(ratings__category=category)
        for batch in batched(list(without.order_by("pk")), BATCH):
            _begin_ratings(arena, batch, [category])


def _begin_ratings(arena: Arena, members: Iterable[Member], categories: Iterable[str]) -> None:
    newcomer = arena.rules.newcomer
    hundredths = arena.rules.hundredths(newcomer)
    Rating.objects.bulk_create(
        Rating(member=member, category=category, state=newcomer.to_dict(), hundredths=hundredths)
        for member in members
        for category in categories
    )


ADDED, CHANGED, KNOWN, REFUSED = "added", "changed", "known", "refused"


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What became of one line: a member added, changed or known already, or refused for the reason."""

    handle: str
    status: str
    reason: str = ""


def enrol_members(arena: Arena, entries: Iterable[MemberEntry], *, at: datetime) -> list[Enrolled]:
    """Add members with their first ratings; return an answer a line, in the order given.

    A handle that is there may become a full member or cease to be one; who it is and when it joined stay.
    """
    return [answer for batch in batched(entries, BATCH) for answer in _enrol(arena, batch, at=at)]


@transaction.atomic
def _enrol(arena: Arena, entries: Sequence[MemberEntry], *, at: datetime) -> list[Enrolled]:
    # One import of members at a time: two must not add one handle.
    Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
    handles = [entry.handle for entry in entries]
    members = {str(row.handle): row for row in Member.objects.filter(arena=arena, handle__in=handles)}
    fide_ids = ids_subquery({entry.fide_id for entry in entries if entry.fide_id is not None})
    known = Player.objects.filter(fide_id__in=fide_ids).values_list("fide_id", "merged_into")
    # A member belongs to the person, not to the FIDE ID (D-126).
    persons = {fide_id: person or fide_id for fide_id, person in known}
    added: list[Member] = []
    answers = [_enrol_one(arena, entry, members, persons, added) for entry in entries]
    Member.objects.bulk_create(added)
    _begin_members(arena, added, at=at)
    return answers


def _enrol_one(
    arena: Arena, entry: MemberEntry, members: dict[str, Member], persons: dict[int, int], added: list[Member]
) -> Enrolled:
    person = None if entry.fide_id is None else persons.get(entry.fide_id)
    if person is None and entry.fide_id is not None:
        return Enrolled(entry.handle, REFUSED, f"no player has FIDE ID {entry.fide_id}")
    member = members.get(entry.handle)
    if member is None:
        member = members[entry.handle] = Member(
            arena=arena,
            handle=entry.handle,
            player_id=person,
            is_full_member=entry.is_full_member,
            joined=entry.joined,
        )
        added.append(member)
        return Enrolled(entry.handle, ADDED)
    return _compare(member, entry, person)


def _compare(member: Member, entry: MemberEntry, person: int | None) -> Enrolled:
    # First ratings were given by them: another person or day would need other ones.
    if (member.player_id, member.joined) != (person, entry.joined):
        reason = f"is a member already, with FIDE ID {member.player_id or 'none'}, joined {member.joined.isoformat()}"
        return Enrolled(entry.handle, REFUSED, reason)
    if member.is_full_member == entry.is_full_member:
        return Enrolled(entry.handle, KNOWN)
    member.is_full_member = entry.is_full_member
    if member.pk is not None:
        member.save(update_fields=["is_full_member"])
    return Enrolled(entry.handle, CHANGED)


def _begin_members(arena: Arena, added: Sequence[Member], *, at: datetime) -> None:
    """Give new members a rating in each category: a newcomer's, or the one that the FIDE lists give."""
    _begin_ratings(arena, added, arena.categories)
    ledger = Ledger(arena, at=at)
    members = ledger.lock(Member.objects.filter(pk__in=ids_subquery(member.pk for member in added)))
    _give_first_ratings(ledger, members)
    ledger.save()
    catch_up(arena, members, at=at)


def _give_first_ratings(ledger: Ledger, members: Sequence[Member]) -> None:
    """Give new members of an arena of `foa-rbb` their first ratings; other systems begin without lists.

    The list of the category's own kind that is in effect counts as added: its change is in the rating (D-43).
    """
    if ledger.arena.system != RatingSystem.FOA_RBB:
        return
    in_force = InForce()
    lists_on = {day: in_force.lists_on(ListKind.values, day) for day in {one.joined for one in members}}
    list_ids = {rating_list.pk for of_day in lists_on.values() for rating_list in of_day.values()}
    persons = ids_of_persons(one.player_id for one in members if one.player_id is not None)
    ids: dict[int, list[int]] = defaultdict(list)
    for fide_id, person in persons.items():
        ids[person].append(fide_id)
    listed = in_force.listed_on(list_ids, persons.keys())
    for member in members:
        of_day = lists_on[member.joined]
        # The ID that stays comes first; a list of the past may have the person under another one.
        own = ids[member.player_id] if member.player_id is not None else []
        entries = {
            kind: next((listed[item.pk][key] for key in own if key in listed[item.pk]), None)
            for kind, item in of_day.items()
        }
        ratings = {kind: entry.rating for kind, entry in entries.items() if entry}
        for category in foa_rbb.CATEGORIES:
            list_date = of_day[category].date if category in of_day else None
            outcome = foa_rbb.first_state(category, ratings, list_date=list_date)
            ledger.move(ledger.seat(member.pk, category), outcome, Cause.FIRST, on=start_of(member.joined))


NAMES = {
    RatingSystem.FOA_RBB: "FIDE Online Arena",
    RatingSystem.CHESS_ONLINE: "Chess Online",
    RatingSystem.FLYORDIE: "FlyOrDie",
}


def load_arenas(*, using: str) -> None:
    """Make the arena of each system that is not there; those that are there stay as staff left them."""
    Arena.objects.using(using).bulk_create(
        (Arena(slug=system.value, name=name, system=system.value) for system, name in NAMES.items()),
        ignore_conflicts=True,
    )
