"""The ledger: the ratings of an arena's members, locked, changed and stored in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from arenas.choices import Cause
from arenas.models import Arena, Change, Game, Member, Rating
from core.bulk import update_rows, write_rows
from core.sql import ids_subquery
from ratings.systems.online.values import OnlineOutcome, OnlineStep

# Members stay locked for a batch: their games that come from elsewhere wait no longer.
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
    # COPY returns no keys.
    keys = dict(found.values_list("arena_game_id", "pk"))
    for game in games:
        game.pk = keys[game.arena_game_id]
        game._state.adding = False


def store_ratings(ratings: Sequence[Rating]) -> None:
    """Update ratings that are there."""
    # By the keys of rows that are all there: each insert becomes an update, many in one statement.
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
        # An ID that another worker has just recorded must come as Django's IntegrityError, after which it is known.
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
        # NO KEY: whoever only names the members, as new games do, need not wait.
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
        # A state may change without anything to tell, as the day that is done: then the rating alone is stored.
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
