"""The members of an arena, who begin with a first rating in each category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from arenas.choices import Cause, RatingSystem
from arenas.entries import MemberEntry
from arenas.ledger import BATCH, Ledger, start_of
from arenas.models import Arena, ArenaList, Change, Game, Member, Rating
from arenas.over_the_board import catch_up, ids_of_persons
from arenas.sentences import Sentence, sentences
from arenas.standings import ratings_of
from arenas.systems import whole_rating
from core.bulk import batched
from core.sql import ids_subquery
from players.models import Player
from ratings.choices import ListKind
from ratings.in_force import InForce
from ratings.lists import read_lists
from ratings.models import ListEntry
from ratings.systems.online import foa_rbb


def find_member(arena: Arena, number: int) -> Member | None:
    """Return an arena's member, with the FIDE player behind the handle."""
    return Member.objects.filter(arena=arena, pk=number).select_related("player").first()


def memberships_of(fide_id: int) -> list[Member]:
    """Return the members that a FIDE player is in the arenas, with their arenas."""
    members = Member.objects.filter(player=fide_id).select_related("arena")
    return list(members.order_by("arena__name", "handle"))


COMPARED = (ListKind.RAPID, ListKind.BLITZ)
MAX_POINTS = 200
RECENT = 20


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A change that is not the rating of a game, with its steps in words."""

    change: Change
    before: str | None
    after: str | None
    steps: Sequence[Sentence]


@dataclass(frozen=True, slots=True)
class BesideOverTheBoard:
    """An arena rating beside the one over the board; `month` is the date of the FIDE list."""

    category: str
    kind: str
    online: int | None
    over_the_board: int | None
    month: date

    @property
    def difference(self) -> int | None:
        """The online rating less the one over the board, None where one is missing."""
        if self.online is None or self.over_the_board is None:
            return None
        return self.online - self.over_the_board


def load_rating_course(member: Member, category: str) -> list[tuple[datetime, int | None]]:
    """Return the latest changes of a rating, oldest first: when, and the whole rating after it."""
    rows = Change.objects.filter(rating__member=member, rating__category=category).order_by("-number")
    found = rows.values_list("effective_at", "after")[:MAX_POINTS]
    return [(at, whole_rating(after)) for at, after in reversed(found)]


def other_changes(arena: Arena, member: Member, category: str) -> list[ChangeShown]:
    """Return the latest changes that are no game's: first rating, days, FIDE lists, cancellations."""
    rows = Change.objects.filter(rating__member=member, rating__category=category).exclude(cause=Cause.GAME)
    return [describe_change(arena, row) for row in rows.select_related("game").order_by("-number")[:RECENT]]


def describe_change(arena: Arena, row: Change) -> ChangeShown:
    exact = arena.rules.exact
    return ChangeShown(row, exact(row.before), exact(row.after), sentences(arena.rules, row.steps))


def load_comparisons(arena: Arena, member: Member) -> list[BesideOverTheBoard]:
    """Return the member's ratings beside those on the newest FIDE lists; nothing for one who is no FIDE player."""
    if member.player_id is None:
        return []
    lists = [found for kind in COMPARED if (found := read_lists().newest(kind))]
    entries = ListEntry.objects.listed().filter(rating_list__in=lists, player=member.player_id)
    listed = dict(entries.values_list("rating_list_id", "rating"))
    online = {row.category: row.shown for row in ratings_of(arena, member)}
    return [
        BesideOverTheBoard(category, item.kind, online.get(category), listed.get(item.pk), item.date)
        for item in lists
        for category in arena.categories
        if category == item.kind or item.kind not in arena.categories
    ]


# The arenas, each with how much it is used.
def find_arena(slug: str) -> Arena | None:
    # PostgreSQL refuses the character in a query, and addresses of the API may have any.
    return None if "\x00" in slug else Arena.objects.filter(slug=slug).first()


def arenas_with_activity() -> QuerySet[Arena]:
    """Return all arenas with `member_count`, `last_game` and `newest_list`."""
    members = Member.objects.filter(arena=OuterRef("pk"), left=None).order_by().values("arena")
    games = Game.objects.filter(arena=OuterRef("pk")).order_by("-played_at").values("played_at")
    lists = ArenaList.objects.filter(arena=OuterRef("pk")).order_by("-date").values("date")
    return Arena.objects.annotate(
        member_count=Coalesce(Subquery(members.annotate(number=Count("pk")).values("number")), 0),
        last_game=Subquery(games[:1]),
        newest_list=Subquery(lists[:1]),
    ).order_by("slug")


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
