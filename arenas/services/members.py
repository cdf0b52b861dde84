"""Arenas, their parameters and the tokens of their servers; their members, and the ratings with which they begin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from arenas.choices import Cause, RatingSystem
from arenas.entries import MemberEntry
from arenas.models import Arena, ArenaToken, Member, Rating
from arenas.services.ledger import BATCH, Ledger, catch_up, ids_of_persons, start_of
from core.bulk import batched
from core.errors import refused
from core.secrets import LONGEST_DAYS, new_token, record_use, token_digest, token_end
from core.sql import ids_subquery
from players.choices import ActKind, Deed
from players.models import Player
from players.services.acts import record_act
from ratings.choices import ListKind
from ratings.queries.in_force import InForce
from ratings.systems.online import foa_rbb

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


@transaction.atomic
def begin_categories(arena: Arena) -> None:
    """Give every member a newcomer's rating in each category of the arena that has none yet."""
    Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
    for category in arena.categories:
        without = Member.objects.filter(arena=arena).exclude(ratings__category=category)
        _begin_category(arena, category, without.order_by("pk").values_list("pk", flat=True))


def _begin_category(arena: Arena, category: str, member_ids: Iterable[int]) -> None:
    newcomer = arena.rules.newcomer
    for batch in batched(list(member_ids), BATCH):
        Rating.objects.bulk_create(
            Rating(
                member_id=member_id,
                category=category,
                state=newcomer.to_dict(),
                hundredths=arena.rules.hundredths(newcomer),
            )
            for member_id in batch
        )


def issue_token(
    arena: Arena, *, name: str, at: datetime, days: int = LONGEST_DAYS, by: Any = None
) -> tuple[str, ArenaToken]:
    """Return a new token of an arena and its row. The token is shown only now, as only its hash is stored.

    It expires after `days`, at most a year. `RefusedError` while the arena has a token of the name: a reloaded page
    creates no second one.
    """
    token = new_token()
    with transaction.atomic():
        Arena.objects.select_for_update().get(pk=arena.pk)
        check_token_name(arena, name, at=at)
        made = ArenaToken.objects.create(
            arena=arena,
            name=name,
            digest=token_digest(token),
            created_at=at,
            expires_at=token_end(days, at=at),
        )
        record_act(ActKind.ACCOUNT, Deed.TOKEN, f"{arena}: {name}", by=by, at=at)
    return token, made


def check_token_name(arena: Arena, name: str, *, at: datetime) -> None:
    """Raise `RefusedError` while a token of an arena that is in use has this name."""
    if ArenaToken.objects.filter(arena=arena, name=name, revoked_at=None, expires_at__gt=at).exists():
        message = _("The arena already has a token with this name. Revoke it, or enter another name.")
        raise refused("name-taken", message, "name")


def revoke_token(token: ArenaToken, *, at: datetime, by: Any = None) -> bool:
    """End a token; it stays as evidence of who could post games. False where it was ended before."""
    with transaction.atomic():
        is_ended = bool(ArenaToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=at))
        if is_ended:
            record_act(ActKind.ACCOUNT, Deed.UNTOKEN, f"{token.arena}: {token.name}", by=by, at=at)
    return is_ended


def token_arena(token: str, *, at: datetime) -> Arena | None:
    """Return the arena whose token this is, None where it is nobody's, revoked or expired; notes the use."""
    rows = ArenaToken.objects.filter(digest=token_digest(token), revoked_at=None, expires_at__gt=at)
    found = rows.select_related("arena").first()
    if found is None:
        return None
    record_use(found, at=at)
    return found.arena


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
    newcomer = arena.rules.newcomer
    Rating.objects.bulk_create(
        Rating(
            member=member,
            category=category,
            state=newcomer.to_dict(),
            hundredths=arena.rules.hundredths(newcomer),
        )
        for member in added
        for category in arena.categories
    )
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
