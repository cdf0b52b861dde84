"""The ratings of an arena's members: locked and stored, and what days and FIDE lists change (FOA 3.4, 3.5, 3.15).

The monthly lists of an arena are published with its days.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from fractions import Fraction
from itertools import groupby, takewhile
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.dispatch import receiver

from arenas.choices import Cause, RatingSystem
from arenas.models import Arena, ArenaList, ArenaListEntry, Change, Game, Member, Rating
from arenas.queries.standings import Ranked, ranked, rows_of, to_json
from core.bulk import batched, update_rows, write_rows
from core.sql import ids_subquery
from players.models import Player
from players.services.merging import players_merged
from ratings.choices import PUBLISHED_KINDS, ListKind, Origin
from ratings.models import Calculation, CorrectionLine, RatingList
from ratings.services.publication.publish import list_published
from ratings.systems.online import foa_rbb
from ratings.systems.online.values import OnlineOutcome, OnlineStep
from tournaments.lists import lists_after

BATCH = 500
STORED = ["state", "hundredths", "games", "version", "settled_at", "settled_game"]
CHANGE_FIELDS = (
    "game",
    "rating",
    "number",
    "cause",
    "effective_at",
    "recorded_at",
    "before",
    "after",
    "games_before",
    "games_after",
    "state_before",
    "state",
    "steps",
)
ONE_DAY = timedelta(days=1)
ADJUSTED_KINDS = (ListKind.RAPID, ListKind.BLITZ)
COLUMNS = ("arena_list", "category", "place", "member", "handle", "hundredths", "games")


def rows_of_steps(steps: Iterable[OnlineStep]) -> list[dict[str, Any]]:
    """Return steps as plain JSON values."""
    return [{"key": step.key, "figures": step.figures} for step in steps]


def store_games(games: Sequence[Game]) -> None:
    """Insert new games of one arena and give them their keys."""
    if not games:
        return
    fields = [field for field in Game._meta.concrete_fields if not field.primary_key]
    rows = ([getattr(game, field.attname) for field in fields] for game in games)
    _insert(Game, [field.name for field in fields], rows)
    ids = [game.arena_game_id for game in games]
    found = Game.objects.filter(arena=games[0].arena_id, arena_game_id__in=ids)
    keys = dict(found.values_list("arena_game_id", "pk"))
    for game in games:
        game.pk = keys[game.arena_game_id]
        game._state.adding = False


def store_ratings(ratings: Sequence[Rating]) -> None:
    """Update ratings that are there."""
    if connection.vendor != "postgresql":
        Rating.objects.bulk_create(
            ratings, update_conflicts=True, update_fields=STORED, unique_fields=["id"], batch_size=BATCH
        )
    elif ratings:
        rows = [[row.pk, *(getattr(row, name) for name in STORED)] for row in ratings]
        update_rows(Rating, ["id", *STORED], rows)


def _insert(model: Any, fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows of the named fields, keys in place of related objects; their own keys are not read."""
    if connection.vendor == "postgresql":
        with connection.wrap_database_errors:
            write_rows(model, fields, rows)
        return
    names = [model._meta.get_field(name).attname for name in fields]
    made = [model(**dict(zip(names, row, strict=True))) for row in rows]
    model.objects.bulk_create(made, batch_size=BATCH)


@dataclass(slots=True)
class MemberRating:
    """A member's rating in one category, with the system's state read once."""

    rating: Rating
    state: Any
    is_touched: bool = False

    def is_settled_after(self, order: tuple[datetime, str]) -> bool:
        """Return whether something later than this end of a game is in the rating."""
        settled_at = self.rating.settled_at
        return settled_at is not None and order < (settled_at, self.rating.settled_game)

    def settle(self, order: tuple[datetime, str]) -> None:
        """Note the latest instant and game that are in the rating."""
        settled_at = self.rating.settled_at
        if settled_at is None or order > (settled_at, self.rating.settled_game):
            self.rating.settled_at, self.rating.settled_game = order
            self.is_touched = True


class Ledger:
    """Locks members, hands out their ratings and stores what became of them. Lives within one transaction."""

    def __init__(self, arena: Arena, *, at: datetime) -> None:
        self.arena, self.rules, self.at = arena, arena.rules, at
        self._seats: dict[tuple[int, str], MemberRating] = {}
        self._changes: list[tuple[Game | None, tuple[object, ...]]] = []

    def lock(self, members: QuerySet[Member]) -> list[Member]:
        """Lock members in the order of their keys, to the end of the transaction, and read their ratings."""
        locked = list(members.order_by("pk").select_for_update(of=("self",), no_key=True))
        ratings = Rating.objects.filter(member__in=ids_subquery(member.pk for member in locked))
        for rating in ratings:
            self._seats[rating.member_id, rating.category] = MemberRating(
                rating, self.rules.state_from(rating.state)
            )
        return locked

    def seat(self, member_id: int, category: str) -> MemberRating:
        return self._seats[member_id, category]

    def seats(self) -> list[MemberRating]:
        """Return the ratings of all locked members."""
        return list(self._seats.values())

    def move(
        self,
        seat: MemberRating,
        outcome: OnlineOutcome[Any],
        cause: Cause,
        *,
        on: datetime,
        game: Game | None = None,
    ) -> None:
        """Set the new state of a rating, and record the change if there is one."""
        if outcome.state == seat.state:
            return
        state = outcome.state.to_dict()
        if outcome.steps:
            self._changes.append((game, self._change(seat, outcome, state, cause, on=on)))
        self._set(seat, outcome.state, state)

    def save(self) -> int:
        """Store everything and return the number of changes."""
        rows = ((game and game.pk, *row) for game, row in self._changes)
        _insert(Change, CHANGE_FIELDS, rows)
        store_ratings([seat.rating for seat in self._seats.values() if seat.is_touched])
        return len(self._changes)

    def _change(
        self,
        seat: MemberRating,
        outcome: OnlineOutcome[Any],
        state: dict[str, Any],
        cause: Cause,
        *,
        on: datetime,
    ) -> tuple[object, ...]:
        """Return the next change of a rating in the order of CHANGE_FIELDS, without its game.

        A batch has a thousand: as rows they take half the time of model instances.
        """
        rating = seat.rating
        rating.version += 1
        return (
            rating.pk,
            rating.version,
            cause,
            on,
            self.at,
            rating.hundredths,
            self.rules.hundredths(outcome.state),
            rating.games,
            outcome.state.games,
            rating.state,
            state,
            rows_of_steps(outcome.steps),
        )

    def _set(self, seat: MemberRating, state: Any, stored: dict[str, Any]) -> None:
        seat.state, seat.is_touched = state, True
        seat.rating.state = stored
        seat.rating.hundredths = self.rules.hundredths(state)
        seat.rating.games = state.games


def start_of(day: date) -> datetime:
    """Return 00:00 UTC of a day."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def end_of(day: date) -> datetime:
    """Return the instant at which a day is over: 00:00 UTC of the next."""
    return start_of(day) + timedelta(days=1)


def publish_due_lists(arena: Arena, *, at: datetime) -> list[ArenaList]:
    """Publish the lists of an arena that are due, oldest first, and return them.

    A list is due when the day before its date is ended. In an arena of `foa-rbb` it waits for the portal's FIDE
    lists of its date, which change ratings (3.15), to the end of its first day. Months are made up from the newest
    list on; the first list of an arena is that of the latest month.
    """
    with transaction.atomic():
        locked = Arena.objects.select_for_update(no_key=True).get(pk=arena.pk)
        return [_publish(locked, day, at=at) for day in _due(locked, at.date())]


def _due(arena: Arena, today: date) -> list[date]:
    joined = arena.members.order_by("joined").values_list("joined", flat=True).first()
    if arena.day_done is None or joined is None:
        return []
    last = min(today, arena.day_done + ONE_DAY).replace(day=1)
    newest = ArenaList.objects.filter(arena=arena).order_by("-date").values_list("date", flat=True).first()
    months = takewhile(lambda month: month <= last, lists_after(newest)) if newest else iter([last])
    return [month for month in months if month >= joined and _is_settled(arena, month)]


def _is_settled(arena: Arena, month: date) -> bool:
    if arena.system != RatingSystem.FOA_RBB or (arena.day_done is not None and arena.day_done >= month):
        return True
    published = RatingList.objects.filter(date=month, origin=Origin.PUBLISHED, kind__in=PUBLISHED_KINDS)
    return published.count() == len(PUBLISHED_KINDS)


def _publish(arena: Arena, month: date, *, at: datetime) -> ArenaList:
    made = ArenaList.objects.create(arena=arena, date=month, published_at=at)
    entries = ranked(arena, at=start_of(month))
    write_rows(ArenaListEntry, COLUMNS, _entries(made, entries))
    made.listed = sum(entry.figures[0] is not None for entry in entries)
    made.sha256 = hashlib.sha256(to_json(rows_of(made)).encode()).hexdigest()
    made.save(update_fields=["listed", "sha256"])
    return made


def _entries(made: ArenaList, entries: Iterable[Ranked]) -> Iterator[tuple[object, ...]]:
    for category, rows in groupby(entries, key=lambda entry: entry.category):
        for place, row in enumerate(rows, start=1):
            yield (made.pk, category, place, row.member_id, row.handle, *row.figures)


def end_arena_day(arena: Arena, day: date, *, at: datetime) -> int:
    """End a day for every member, missed days first; return the number of changes.

    The last day of a month publishes the monthly list.
    Each batch of members is one transaction: after an interruption the next call continues.
    """
    pks = Member.objects.filter(arena=arena).order_by("pk").values_list("pk", flat=True)
    changes = sum(_end_day(arena, batch, day, at=at) for batch in batched(list(pks), BATCH))
    not_done = Q(day_done=None) | Q(day_done__lt=day)
    Arena.objects.filter(not_done, pk=arena.pk).update(day_done=day)
    publish_due_lists(arena, at=at)
    return changes


def end_yesterday(*, at: datetime) -> None:
    """End the day that is over, in every arena."""
    yesterday = at.date() - timedelta(days=1)
    for arena in Arena.objects.order_by("pk"):
        end_arena_day(arena, yesterday, at=at)


@transaction.atomic
def _end_day(arena: Arena, member_ids: Sequence[int], day: date, *, at: datetime) -> int:
    ledger = Ledger(arena, at=at)
    ledger.lock(Member.objects.filter(pk__in=ids_subquery(member_ids)))
    for seat in ledger.seats():
        _end_days_of(ledger, seat, day)
    return ledger.save()


def _end_days_of(ledger: Ledger, seat: MemberRating, day: date) -> None:
    """Record a separate change for every day with an effect, at the end of that day."""
    outcome = ledger.rules.end_day(seat.state, day)
    if outcome.state == seat.state:
        return
    for due in [date.fromisoformat(str(step.figures["day"])) for step in outcome.steps]:
        ledger.move(seat, ledger.rules.end_day(seat.state, due), Cause.DAY, on=end_of(due))
    ledger.move(seat, ledger.rules.end_day(seat.state, day), Cause.DAY, on=end_of(day))
    seat.settle((end_of(day), ""))


def adjust_arenas(rating_list: RatingList, *, at: datetime) -> None:
    """Add each member's unrounded change on a published list once: rapid to rapid, blitz to blitz.

    An imported list, an initial rating and a member unrated in the category add nothing.
    """
    follow_merged_ids(at=at)
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
        if outcome.state == seat.state:
            continue
        ledger.move(seat, outcome, Cause.LIST, on=on)
        seat.settle((on, ""))
    ledger.save()


def _changes_by_player(rating_list: RatingList, arena: Arena) -> dict[int, int]:
    """Return the unrounded changes of the arena's players in hundredths, with those of corrections.

    Corrections of initial ratings do not count; the change of a lost first rating by standard rating is reversed
    (D-103). What was played under a FIDE ID that was merged since is the person's (D-126).
    """
    by_id: dict[tuple[int, int], int] = {}
    corrected: dict[tuple[int, int], list[int]] = {}
    for whose in ("player", "player__merged_into"):
        rows = Calculation.objects.filter(
            rating_list=rating_list, **{f"{whose}__arena_members__arena": arena}
        )
        for person, player_id, base, change, correction, steps in rows.values_list(
            whose, "player", "base_rating", "change_hundredths", "correction_hundredths", "steps"
        ):
            lines = steps.get("corrections", []) if isinstance(steps, dict) else []
            by_id[person, player_id] = 0 if base is None else change
            if lines:
                corrected[person, player_id] = lines
            elif base is not None:
                by_id[person, player_id] += correction
    brought = _changes_of_lines({pk for lines in corrected.values() for pk in lines})
    found: dict[int, int] = defaultdict(int)
    for key, change in by_id.items():
        found[key[0]] += change + sum(brought[pk] for pk in corrected.get(key, ()))
    return {person: change for person, change in found.items() if change}


def _changes_of_lines(lines: Collection[int]) -> dict[int, int]:
    rows = CorrectionLine.objects.filter(pk__in=ids_subquery(lines))
    return dict(rows.values_list("pk", "change_hundredths"))


@receiver(list_published)
def add_changes_over_the_board(sender: Any, *, rating_list: RatingList, at: datetime, **kwargs: Any) -> None:
    """Add the changes of a published list to the ratings of members, in the publishing transaction (FOA 3.15).

    Then publish the monthly lists of arenas that waited for it.
    """
    adjust_arenas(rating_list, at=at)
    for arena in Arena.objects.filter(system=RatingSystem.FOA_RBB).order_by("pk"):
        publish_due_lists(arena, at=at)
