"""The ratings of locked members while a transaction changes them, and the rows to be stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db import connection
from django.db.models import Model, QuerySet

from arenas.choices import Cause
from arenas.models import Arena, Change, Game, Member, Rating
from core.bulk import ids_subquery, update_rows, write_rows
from ratings.systems.online.values import Outcome

BATCH = 500
STORED = ["state", "hundredths", "games", "version", "settled_at", "settled_game"]


def store_games(games: Sequence[Game]) -> None:
    """Insert new games of one arena and give them their keys."""
    if not games or not _insert(Game, games):
        return
    ids = [game.arena_game_id for game in games]
    found = Game.objects.filter(arena=games[0].arena_id, arena_game_id__in=ids)
    keys = dict(found.values_list("arena_game_id", "pk"))
    for game in games:
        game.pk = keys[game.arena_game_id]
        game._state.adding = False


def store_changes(changes: Sequence[Change]) -> None:
    """Insert changes whose games are stored."""
    for change in changes:
        change.game_id = change.game.pk if change.game else None
    _insert(Change, changes)


def store_ratings(ratings: Sequence[Rating]) -> None:
    """Update ratings that are there."""
    if connection.vendor != "postgresql":
        Rating.objects.bulk_create(
            ratings, update_conflicts=True, update_fields=STORED, unique_fields=["id"], batch_size=BATCH
        )
    elif ratings:
        rows = [[row.pk, *(getattr(row, name) for name in STORED)] for row in ratings]
        update_rows(Rating, ["id", *STORED], rows)


def _insert(model: Any, rows: Sequence[Model]) -> bool:
    """Insert rows; return whether their keys are still to be read."""
    if connection.vendor != "postgresql":
        model.objects.bulk_create(rows, batch_size=BATCH)
        return False
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    values = ([getattr(row, field.attname) for field in fields] for row in rows)
    with connection.wrap_database_errors:
        write_rows(model, [field.name for field in fields], values)
    return True


@dataclass(slots=True)
class Seat:
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
        self._seats: dict[tuple[int, str], Seat] = {}
        self._changes: list[Change] = []

    def lock(self, members: QuerySet[Member]) -> list[Member]:
        """Lock members in the order of their keys, to the end of the transaction, and read their ratings."""
        locked = list(members.order_by("pk").select_for_update(of=("self",), no_key=True))
        ratings = Rating.objects.filter(member__in=ids_subquery(member.pk for member in locked))
        for rating in ratings:
            self._seats[rating.member_id, rating.category] = Seat(rating, self.rules.state_from(rating.state))
        return locked

    def seat(self, member_id: int, category: str) -> Seat:
        """Return a locked member's rating."""
        return self._seats[member_id, category]

    def seats(self) -> list[Seat]:
        """Return the ratings of all locked members."""
        return list(self._seats.values())

    def move(
        self, seat: Seat, outcome: Outcome[Any], cause: Cause, *, on: datetime, game: Game | None = None
    ) -> None:
        """Give a rating its new state, with the change that tells it unless nothing happened."""
        if outcome.state == seat.state:
            return
        if outcome.steps:
            self._changes.append(self._change(seat, outcome, cause, on=on, game=game))
        self._set(seat, outcome.state)

    def save(self) -> int:
        """Store everything and return the number of changes."""
        store_changes(self._changes)
        store_ratings([seat.rating for seat in self._seats.values() if seat.is_touched])
        return len(self._changes)

    def _change(
        self, seat: Seat, outcome: Outcome[Any], cause: Cause, *, on: datetime, game: Game | None
    ) -> Change:
        seat.rating.version += 1
        return Change(
            rating=seat.rating,
            number=seat.rating.version,
            cause=cause,
            effective_at=on,
            recorded_at=self.at,
            game=game,
            before=seat.rating.hundredths,
            after=self.rules.hundredths(outcome.state),
            games_before=seat.rating.games,
            games_after=outcome.state.games,
            state_before=seat.rating.state,
            state=outcome.state.to_dict(),
            steps=[step._asdict() for step in outcome.steps],
        )

    def _set(self, seat: Seat, state: Any) -> None:
        seat.state, seat.is_touched = state, True
        seat.rating.state = state.to_dict()
        seat.rating.hundredths = self.rules.hundredths(state)
        seat.rating.games = state.games


def start_of(day: date) -> datetime:
    """Return 00:00 UTC of a day."""
    return datetime.combine(day, time.min, tzinfo=UTC)


def end_of(day: date) -> datetime:
    """Return the instant at which a day is over: 00:00 UTC of the next."""
    return start_of(day) + timedelta(days=1)
