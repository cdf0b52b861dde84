"""What programs read of arenas, and that it is what the schema promises."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from api.schema import schema
from arenas.models import Arena, Change, Game, Member
from arenas.services.days import end_arena_day
from tests.api.arenas.conftest import ROOT, Post
from tests.api.test_contract import promised
from tests.arenas.played import AT, enrol, game, record, sent

pytestmark = pytest.mark.django_db
Get = Callable[..., Any]


@pytest.fixture
def played(arena: Arena) -> Arena:
    """Return the arena after three games, one of them unrated, and with its list of February."""
    record(
        arena,
        game(1, "ada", "ben", "1-0"),
        game(2, "cyd", "ada", "1/2-1/2"),
        game(3, "ben", "ada", "0-1", time_control="60+0"),
    )
    end_arena_day(arena, date(2026, 2, 1), at=AT)
    return arena


@pytest.fixture
def get(client: Client, played: Arena) -> Get:
    """Return a function that reads an address of the arenas; `{ada}` and `{game}` stand for their numbers."""

    def read(address: str, *, status: int = 200) -> Any:
        places = {"ada": Member.objects.get(handle="ada").pk, "game": Game.objects.order_by("pk")[0].pk}
        response = client.get(f"{ROOT}{address.format(**places)}")
        assert response.status_code == status, response.content
        return response.json()

    return read


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


@pytest.mark.parametrize(("address", "path"), ADDRESSES.items())
def test_answer_is_what_the_schema_promises(get: Get, address: str, path: str) -> None:
    Draft202012Validator(promised(f"/arenas{path}")).validate(get(address))


def test_every_operation_is_held_to_the_schema() -> None:
    documented = {
        path.removeprefix(ROOT)
        for path, methods in schema()["paths"].items()
        if path.startswith(ROOT) and "get" in methods
    }
    assert documented == set(ADDRESSES.values())


def test_answer_to_a_batch_is_what_the_schema_promises(played: Arena, post: Post) -> None:
    answer = post([sent(1, "ada", "ben", "1-0"), sent(9, "ada", "ben", "1-0"), {}])

    Draft202012Validator(promised("/arenas/{arena}/games", method="post")).validate(answer)


@pytest.mark.parametrize("address", ADDRESSES)
def test_address_answers_with_a_slash_at_its_end_too(get: Get, address: str) -> None:
    path, mark, query = address.partition("?")
    if "limit" not in query:
        assert get(f"{path}/{mark}{query}") == get(address)


def test_list_as_csv_and_as_of_an_instant(client: Client, played: Arena) -> None:
    address = f"{ROOT}/foa-rbb/list?category=rapid"
    now = client.get(f"{address}&format=csv").content.decode()
    before = client.get(f"{address}&format=csv&at=2026-01-10T12:59:59Z").content.decode()

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


def test_history_explains_every_change(get: Get) -> None:
    rows = get("/foa-rbb/members/{ada}/history?category=rapid")["results"]

    assert [(row["number"], row["cause"], row["before"], row["after"], row["game"]) for row in rows] == [
        (2, "game", "1800.00", "1807.20", "g0001"),
        (1, "first", None, "1800.00", None),
    ]
    assert rows[1]["steps"][0]["text"] == (
        "First rapid rating: 1800 from the FIDE rapid list in force on joining."
    )


def test_pages_follow_each_other(get: Get) -> None:
    first = get("/foa-rbb/games?limit=2")
    cursor = first["next"].partition("cursor=")[2].partition("&")[0]
    second = get(f"/foa-rbb/games?limit=2&cursor={cursor}")

    assert [row["id"] for row in first["results"] + second["results"]] == ["g0003", "g0002", "g0001"]
    assert second["next"] is None


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
def test_bad_address_or_parameter_is_a_problem(get: Get, address: str, status: int) -> None:
    assert get(address, status=status)["status"] == status


@pytest.mark.parametrize(
    ("address", "queries"),
    [
        ("members", 2),
        ("games", 2),
        ("list", 2),
        ("lists", 2),
        ("members/{ada}/history", 3),
        ("members/{ada}", 3),
    ],
)
def test_number_of_queries_does_not_grow(
    client: Client, played: Arena, django_assert_num_queries: Any, address: str, queries: int
) -> None:
    path = f"{ROOT}/foa-rbb/{address.format(ada=Member.objects.get(handle='ada').pk)}"
    with django_assert_num_queries(queries):
        client.get(path)
    enrol(played, "dan", "eva", "fay")
    record(played, *(game(number, "ada", "ben", "1-0") for number in range(10, 20)))
    assert Change.objects.count() > 20
    with django_assert_num_queries(queries):
        client.get(path)
