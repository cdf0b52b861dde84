"""Many rows of a batch at once: COPY on PostgreSQL, where storing is what a batch costs most; else Django's own way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Model

from arenas.models import Change, Game, Rating
from core.bulk import update_rows, write_rows

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
