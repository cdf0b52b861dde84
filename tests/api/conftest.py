"""Fixtures of the API: a published month, an officer with a token, an arena with a token and games."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import pytest
from django.core.cache import cache as django_cache
from django.test import Client
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from pytest_django.live_server_helper import LiveServer

from api.schema import schema
from arenas.days import end_arena_day
from arenas.models import Arena, Game, Member
from arenas.tokens import issue_token as issue_arena_token
from players.models import Federation, Membership, Player
from portal.models import User
from ratings.models import RatingList
from tests import make
from tests.arenas.played import AT, enrol, game, rate_members, record
from tests.shared import SharedRows
from tests.trf_files import PLAYERS, Event
from tournaments.choices import Verb
from tournaments.models import Tournament
from tournaments.tokens import issue_token

ROOT = "/api/v1"
ARENAS = f"{ROOT}/arenas"
Get = Callable[..., Any]
Call = Callable[..., Any]
Post = Callable[..., Any]
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
LATER = datetime(2026, 3, 11, 9, 30, tzinfo=UTC)
REGISTRATION: dict[str, Any] = {
    "name": "Spring Rapid",
    "kind": "rapid",
    "time_control": "15+10",
    "start": "2026-03-09",
    "end": "2026-03-10",
    "city": "Alphaville",
    "chief_arbiter": "Arbiter, Anna",
    "schedule": [{"day": "2026-03-09", "rounds": 3}],
}
SPRING = Event(
    PLAYERS,
    [[(1, 2, "1-0")], [(2, 3, "1/2")], [(3, 1, "0-1")]],
    name="Spring Rapid",
    start="2026/03/09",
    end="2026/03/10",
)


@cache
def closed_schema() -> dict[str, Any]:
    """Return the schema in which objects have no undeclared fields."""
    document: dict[str, Any] = closed(schema())
    return document


def promised(path: str, status: str = "200", method: str = "get") -> dict[str, Any]:
    """Return the schema of a response. Objects may have no undeclared fields."""
    document = closed_schema()
    operation = document["paths"][f"{ROOT}{path}"][method]
    answer = operation["responses"][status]
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rpartition("/")[2]]
    (content, *_) = answer["content"].values()
    return {**content["schema"], "components": document["components"]}


def closed(value: Any) -> Any:
    if isinstance(value, list):
        return [closed(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    made = {name: closed(inner) for name, inner in value.items()}
    if "properties" in made and made.get("type") == "object":
        made["additionalProperties"] = False
    return made


def assert_promised(answer: Any, path: str, method: str = "get", status: str = "200") -> Any:
    """Assert that a response matches the schema, and return it."""
    Draft202012Validator(promised(path, status, method)).validate(answer)
    return answer


@pytest.fixture(autouse=True)
def _no_counted_requests() -> None:
    django_cache.clear()


@dataclass(frozen=True)
class Month:
    players: list[Player]
    tournament: Tournament
    first: RatingList
    second: RatingList


@pytest.fixture(scope="module")
def month_of_module(rows_of_module: SharedRows) -> Month:
    with rows_of_module():
        return published_month()


@pytest.fixture
def month(month_of_module: Month, db: None) -> Month:
    """Return the published month that the tests of a module share."""
    return deepcopy(month_of_module)


def published_month() -> Month:
    """Publish a month: rated players 1001 to 1003, each in a club, unrated player 1004, tournament SUI-OPEN."""
    players = [
        make.player(fide_id=1001, name="Müller, José", title="GM", birth_year=1980),
        make.player(
            fide_id=1002, name="Adams, Eva", sex="F", women_title="WIM", other_titles="FA", birth_year=1990
        ),
        make.player(fide_id=1003, name="Berg, Ole", federation__code="NOR", birth_year=2008),
        make.player(fide_id=1004, name="Neu, Nora", sex="F"),
    ]
    entries = [
        make.entry(player=player, rating=rating, women_title=player.women_title)
        for player, rating in zip(players, (1900, 1800, 1800), strict=False)
    ]
    for player, club in zip(players, ("SC Alpha", "SC Alpha", "SK Norge"), strict=False):
        Membership.objects.create(
            player=player,
            federation=player.federation,
            number=f"N{player.pk}",
            club=club,
            district="North" if player.pk == 1001 else "",
            since=date(2026, 1, 1),
        )
    tournament = make.tournament(event_id="SUI-OPEN", start=date(2026, 1, 10))
    make.play_and_rate(tournament, players, make.round_robin(4, "1-0"))
    second = make.publish_after(tournament)
    return Month(players, tournament, entries[0].rating_list, second)


@pytest.fixture
def get(client: Client) -> Callable[..., Any]:
    """Return a function that reads a URL of the API as JSON and asserts the status."""

    def read(address: str, query: dict[str, Any] | None = None, *, status: int = 200, **headers: str) -> Any:
        response = client.get(f"{ROOT}{address}", query or {}, headers=headers)
        assert response.status_code == status, response.content
        return response.json()

    return read


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    def be(instant: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: instant)

    be(NOW)
    return be


@pytest.fixture
def officer(db: None, clock: Any) -> User:
    swiss = make.federation(code="SUI")
    rating_list = make.rating_list(date=datetime(2026, 3, 1, tzinfo=UTC).date())
    for (fide_id, name), rating in zip(PLAYERS, (2000, 1900, 1800), strict=True):
        player = make.player(fide_id=fide_id, name=name, federation=swiss)
        make.entry(rating_list=rating_list, player=player, rating=rating)
    return make.person("officer", swiss)


@pytest.fixture
def token(officer: User) -> str:
    return issue_token(
        officer, Federation.objects.get(pk="SUI"), name="tool", verbs=list(Verb.values), at=NOW
    )


@pytest.fixture
def call(client: Client, token: str) -> Call:
    """Return a function that calls the API with the token, and asserts the status and the schema."""

    def send(method: str, address: str, body: Any = None, *, status: int = 200, secret: str = token) -> Any:
        content = body if isinstance(body, bytes) else json.dumps(body if body is not None else {}).encode()
        kind = "text/plain" if isinstance(body, bytes) else "application/json"
        headers = {"authorization": f"Bearer {secret}"}
        if method == "get":
            response = client.get(f"{ROOT}{address}", headers=headers)
        else:
            response = client.post(f"{ROOT}{address}", content, content_type=kind, headers=headers)
        assert response.status_code == status, response.content
        if response.status_code < 400:
            assert response["Cache-Control"] == "private, no-store"
        return response.json()

    return send


@pytest.fixture(scope="module")
def arena_of_module(rows_of_module: SharedRows) -> Arena:
    with rows_of_module():
        return rate_members(Arena.objects.get(slug="foa-rbb"), ada=1800, ben=1700, cyd=None)


@pytest.fixture
def arena(arena_of_module: Arena, db: None) -> Arena:
    """Return `foa-rbb` with the rated members ada and ben and the unrated member cyd, which a module's tests share."""
    return deepcopy(arena_of_module)


@pytest.fixture
def arena_token(arena: Arena) -> str:
    return issue_arena_token(arena, name="game server", at=timezone.now())[0]


@pytest.fixture
def post(client: Client, arena: Arena, arena_token: str) -> Post:
    """Return a function that posts games, or members, to the arena, asserts the status, and returns the JSON."""

    def send(
        body: Any,
        *,
        status: int = 200,
        bearer: str = arena_token,
        slug: str = arena.slug,
        to: str = "games",
    ) -> Any:
        response = client.post(
            f"{ARENAS}/{slug}/{to}",
            body,
            content_type="application/json",
            headers={"authorization": f"Bearer {bearer}"} if bearer else {},
        )
        assert response.status_code == status, response.content
        return response.json()

    return send


@pytest.fixture
def played(arena: Arena) -> Arena:
    """Return the arena after three games, one of them unrated, with its list of February."""
    play_games(arena)
    return arena


def play_games(arena: Arena) -> None:
    record(
        arena,
        game(1, "ada", "ben", "1-0"),
        game(2, "cyd", "ada", "1/2-1/2"),
        game(3, "ben", "ada", "0-1", time_control="60+0"),
    )
    end_arena_day(arena, date(2026, 2, 1), at=AT)


@pytest.fixture
def get_arena(client: Client, played: Arena) -> Get:
    """Return a function that reads a URL of the arenas. `{ada}` and `{game}` are replaced by their numbers."""

    def read(address: str, *, status: int = 200) -> Any:
        places = {"ada": Member.objects.get(handle="ada").pk, "game": Game.objects.order_by("pk")[0].pk}
        response = client.get(f"{ARENAS}{address.format(**places)}")
        assert response.status_code == status, response.content
        return response.json()

    return read


@dataclass(frozen=True)
class World:
    """A running portal with a published month, tokens of an officer and an arena, and a way to set its clock."""

    url: str
    officer_token: str
    arena_token: str
    clock: Callable[[datetime], None]


@pytest.fixture
def month_alone(live_server: LiveServer) -> Month:
    """Return a published month of one test: what a server reads must be committed."""
    return published_month()


@pytest.fixture
def world(
    live_server: LiveServer, month_alone: Month, token: str, foa: Arena, clock: Callable[[datetime], None]
) -> World:
    """Return a running portal in which every operation of the API returns data."""
    month = month_alone
    for handle, player in zip(("ada", "ben", "cyd"), (month.players[0], *month.players[1::2]), strict=True):
        enrol(foa, handle, fide_id=player.pk)
    play_games(foa)
    return World(live_server.url, token, issue_arena_token(foa, name="game server", at=NOW)[0], clock)
