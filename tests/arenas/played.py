"""Members and games of arenas for tests, in the form in which arenas send them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from arenas.entries import GameEntry, read_game, read_member
from arenas.games import Recorded, record_games
from arenas.members import Enrolled, enrol_members
from arenas.models import Arena, Change
from arenas.standings import arena_list
from tests import make

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
START = datetime(2026, 1, 10, 12, tzinfo=UTC)


def member(handle: str, **values: Any) -> dict[str, Any]:
    """Return a member as an arena sends one."""
    return {"handle": handle, "fide_id": None, "full_member": True, "joined": "2026-01-05"} | values


def enrol(arena: Arena, *handles: str, **values: Any) -> list[Enrolled]:
    """Make members."""
    return enrol_members(arena, [read_member(member(handle, **values)) for handle in handles], at=AT)


def sent(number: int, white: str, black: str, result: str, **values: Any) -> dict[str, Any]:
    """Return a game as an arena sends one: the games of a test end an hour apart, in the order of their numbers."""
    usual = {
        "id": f"g{number:04}",
        "played_at": (START + timedelta(hours=number)).isoformat(),
        "white": white,
        "black": black,
        "result": result,
        "time_control": "15+10",
        "moves": 60,
    }
    return usual | values


def game(number: int, white: str, black: str, result: str, **values: Any) -> GameEntry:
    """Return a game that was sent and read."""
    return read_game(sent(number, white, black, result, **values))


def record(arena: Arena, *games: GameEntry) -> list[Recorded]:
    """Record games as one batch."""
    return record_games(arena, games, at=AT)


def ratings(arena: Arena, category: str | None = None, at: datetime | None = None) -> dict[str, str | None]:
    """Return the exact ratings by handle; in arenas of several categories name one."""
    return {row.handle: row.rating for row in arena_list(arena, category=category, at=at)}


def everything(arena: Arena) -> tuple[list[Any], list[Any], list[Any]]:
    """Return all that is stored of an arena's games and ratings, save when it was recorded."""
    games = arena.games.order_by("arena_game_id").values_list(
        "arena_game_id", "category", "unrated", "is_late", "explanation"
    )
    rows = arena.members.order_by("handle", "ratings__category").values_list(
        "handle", "ratings__category", "ratings__state", "ratings__hundredths", "ratings__version"
    )
    return list(games), list(rows), list(changes(arena))


def changes(arena: Arena) -> Iterable[Any]:
    """Return the changes of an arena's ratings in the order of members and of their making."""
    rows = Change.objects.filter(rating__member__arena=arena)
    return rows.order_by("rating__member__handle", "rating__category", "number").values_list(
        "rating__member__handle", "number", "cause", "game__arena_game_id", "before", "after", "effective_at"
    )


def rate_members(arena: Arena, **ratings: int | None) -> Arena:
    """Make full members of an arena whose ratings come from rapid and blitz lists; without a rating, None."""
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind)
    for number, (handle, rating) in enumerate(ratings.items(), start=1):
        player = make.player(fide_id=1000 + number)
        for kind in ("rapid", "blitz") if rating else ():
            make.entry(rating_list=make.rating_list(kind=kind), player=player, rating=rating)
        enrol(arena, handle, fide_id=player.fide_id)
    return arena
