"""Public resources of arenas, checked against the schema."""

from __future__ import annotations

import pytest
from django.test import Client

from api.schema import schema
from arenas.models import Arena, Change, Member
from tests.api.conftest import ARENAS, Get, assert_promised, play_games
from tests.arenas.played import enrol, game, record
from tests.growth import find_growing, pages_of
from tests.shared import SharedRows

pytestmark = pytest.mark.django_db
ADDRESSES = {
    "": "",
    "/foa-rbb": "/{arena}",
    "/foa-rbb/list": "/{arena}/list",
    "/foa-rbb/list?category=rapid&at=2026-01-10T13:00:00Z": "/{arena}/list",
    "/foa-rbb/lists": "/{arena}/lists",
    "/foa-rbb/members": "/{arena}/members",
    "/foa-rbb/members?handle=ada": "/{arena}/members",
    "/foa-rbb/members/{ada}": "/{arena}/members/{number}",
    "/foa-rbb/members/{ada}/history?category=rapid&limit=1": "/{arena}/members/{number}/history",
    "/foa-rbb/games": "/{arena}/games",
    "/foa-rbb/games?id=g0001&member={ada}": "/{arena}/games",
    "/foa-rbb/games/{game}": "/{arena}/games/{number}",
}


@pytest.fixture(scope="module")
def played_of_module(rows_of_module: SharedRows, arena_of_module: Arena) -> None:
    with rows_of_module():
        play_games(arena_of_module)


@pytest.fixture
def played(played_of_module: None, arena: Arena) -> Arena:
    """Return the arena after three games, which the tests share."""
    return arena


@pytest.mark.parametrize(("address", "path"), ADDRESSES.items())
def test_answer_matches_the_schema(get_arena: Get, address: str, path: str) -> None:
    assert_promised(get_arena(address), f"/arenas{path}")


def test_every_operation_is_tested_against_the_schema() -> None:
    documented = {
        path.removeprefix(ARENAS)
        for path, methods in schema()["paths"].items()
        if path.startswith(ARENAS) and "get" in methods and not path.endswith(".csv")
    }
    assert documented == set(ADDRESSES.values())


def test_list_as_csv_and_as_of_an_instant(client: Client, played: Arena) -> None:
    address = f"{ARENAS}/foa-rbb/list.csv?category=rapid"
    now = client.get(address).content.decode()
    before = client.get(f"{address}&at=2026-01-10T12:59:59Z").content.decode()

    assert now.splitlines() == [
        "handle,category,rating,shown,games,provisional",
        "ada,rapid,1807.20,1807,1,false",
        "ben,rapid,1692.80,1693,1,false",
        "cyd,rapid,,,1,false",
    ]
    assert before.splitlines()[1:] == [
        "ada,rapid,1800.00,1800,0,false",
        "ben,rapid,1700.00,1700,0,false",
        "cyd,rapid,,,0,false",
    ]


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nowhere", 404),
        ("/a%00b", 404),
        ("/foa-rbb/members/999999", 404),
        (f"/foa-rbb/members/{'9' * 40}", 404),
        (f"/foa-rbb/games/{'9' * 40}", 404),
        ("/flyordie/members/{ada}", 404),
        ("/flyordie/games/{game}", 404),
        ("/foa-rbb/list?category=bullets", 400),
        ("/foa-rbb/list?category=a%00b", 400),
        ("/foa-rbb/list?at=yesterday", 400),
        ("/foa-rbb/list?at=0001-01-01T00:00:00%2B23:00", 400),
        ("/foa-rbb/members?handle=a%00b", 400),
        ("/foa-rbb/games?member=0", 400),
        (f"/foa-rbb/games?member={'9' * 40}", 400),
        ("/foa-rbb/games?cursor=abc", 400),
        ("/foa-rbb/games?nothing=1", 400),
    ],
)
def test_bad_address_or_parameter_is_a_problem(get_arena: Get, address: str, status: int) -> None:
    assert get_arena(address, status=status)["status"] == status


def test_number_of_queries_does_not_grow(client: Client, played: Arena) -> None:
    def fill(size: int) -> dict[str, int]:
        if size > 1:
            enrol(played, "dan", "eva", "fay")
            record(played, *(game(number, "ada", "ben", "1-0") for number in range(10, 20)))
            assert Change.objects.count() > 20
        return {"ada": Member.objects.get(handle="ada").pk}

    own = ("members", "games", "list", "lists", "members/{ada}/history", "members/{ada}")
    assert find_growing(fill, pages_of(client, *(f"{ARENAS}/foa-rbb/{path}" for path in own))) == {}
