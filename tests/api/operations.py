"""One call of every operation of the API for generated clients, in an order in which each returns data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.conf import settings

from api.schema import schema
from arenas.models import Game, Member
from tests.api.conftest import LATER, REGISTRATION, SPRING, World

SCHEMA = settings.BASE_DIR / "docs" / "openapi.yaml"
TEXTS = {"entries_csv", "entries_ndjson", "list_changes_csv", "list_changes_ndjson", "arena_list_csv"}
FIRST, DAY = date(2026, 1, 1), "2026-02-01"


@dataclass(frozen=True)
class Call:
    """One request: path parameters in order, query, body with its schema's name, and a callback for the response."""

    operation: str
    path: tuple[Any, ...] = ()
    query: dict[str, Any] = field(default_factory=dict)
    body: Any = None
    model: str = ""
    token: str = "none"
    note: Callable[[bytes], None] = field(default=lambda content: None)

    @property
    def is_text(self) -> bool:
        """Whether the response is text."""
        return self.operation in TEXTS


def operation_ids() -> set[str]:
    """Return the IDs of all operations of the schema, which docs/openapi.yaml is."""
    return {operation["operationId"] for path in schema()["paths"].values() for operation in path.values()}


def calls(world: World) -> Iterator[Call]:
    """Yield one call of each operation. The caller passes the content of each response to `note` before the next."""
    yield from _reading()
    yield from _arenas(world.arena_token)
    yield from _reporting(world)


def _reading() -> Iterator[Call]:
    for operation in ("root", "federations", "reasons", "rules", "lists", "publications", "tournaments"):
        yield Call(operation)
    yield Call("federation_history", ("SUI",))
    yield Call("arbiters", (), {"federation": "SUI"})
    yield Call("arbiter", (1002,))
    yield Call("rating_list", ("rapid", "latest"))
    yield Call("entries", ("rapid", DAY), {"federation": "SUI", "club": "SC Alpha", "limit": 2})
    for operation in ("entries_csv", "entries_ndjson"):
        yield Call(operation, ("rapid", DAY))
    for operation in ("list_changes_csv", "list_changes_ndjson"):
        yield Call(operation, ("rapid", DAY), {"since": FIRST})
    yield Call("search_players", (), {"q": "adams", "club": "SC Alpha"})
    yield Call("player", (1001,))
    yield Call("player_history", (1001,))
    yield Call("player_calculation", (1001, "rapid", DAY))
    yield Call("changes", ("rapid-2026-01-01",))
    yield Call("games", (), {"event": "SUI-OPEN"})
    yield Call("tournament", ("SUI-OPEN",))
    yield Call("participants", ("SUI-OPEN",))
    yield Call("calculate_change", (), {"games": "1800:1,unrated:0", "fide_id": 1001})
    for operation in ("calculate_first_rating", "calculate_performance"):
        yield Call(operation, (), {"games": "1800:1"})
    yield Call("check_report", body=SPRING.content(), model="CheckReportBody")


def _arenas(token: str) -> Iterator[Call]:
    member, game = Member.objects.get(handle="ada").pk, Game.objects.order_by("pk")[0].pk
    yield Call("arenas")
    for operation in ("arena", "arena_list", "arena_list_csv", "arena_lists", "arena_members", "arena_games"):
        yield Call(operation, ("foa-rbb",))
    yield Call("arena_member", ("foa-rbb", member))
    yield Call("arena_history", ("foa-rbb", member))
    yield Call("arena_game", ("foa-rbb", game))
    sent = {"id": "new", "played_at": "2026-03-01T12:00:00Z", "white": "ada", "black": "ben", "result": "1-0"}
    timed: dict[str, Any] = {"time_control": "10+5", "moves": 34}
    yield Call("post_arena_games", ("foa-rbb",), body=[sent | timed], model="SentGame", token=token)
    new = {"handle": "new", "full_member": True, "joined": DAY}
    yield Call("post_arena_members", ("foa-rbb",), body=[new], model="SentMember", token=token)


def _reporting(world: World) -> Iterator[Call]:
    token, registered = world.officer_token, {}
    note = lambda content: registered.update(json.loads(content))  # noqa: E731 A call of one line.
    yield Call("register_tournament", body=REGISTRATION, model="Registration", token=token, note=note)
    event_id = registered["event_id"]
    yield Call("tournament_progress", (event_id,), token=token)
    world.clock(LATER)
    yield Call("submit_report", (event_id,), body=SPRING.content(), model="SubmitReportBody", token=token)
    yield Call("reports", (event_id,), token=token)
    yield Call("report", (event_id, 1), token=token)
    yield Call("preview_report", (event_id, 1), token=token)
    acceptance = {"acknowledgement": "Checked with the arbiter."}
    draw = {"what": "result", "round": 1, "white": 1, "result": "1/2-1/2"}
    amending = {"amendments": [draw], "reason": "Slip.", "dry_run": True}
    yield Call("amend_report", (event_id,), body=amending, model="Amending", token=token)
    yield Call("accept_report", (event_id, 1), body=acceptance, model="Acceptance", token=token)
