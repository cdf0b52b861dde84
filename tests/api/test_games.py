"""The games that lists took, by player, tournament and list, page by page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.models import Federation, Player
from tests import make
from tests.api.conftest import ROOT, Get, Month, assert_promised

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def pairs(rows: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    return [(row["white_id"], row["black_id"]) for row in rows]


def test_games_of_a_tournament_have_both_sides_by_the_list(month: Month, get: Get) -> None:
    answer = assert_promised(get("/games", {"event": "SUI-OPEN"}), "/games")
    calculated = get("/players/1001/calculations/rapid/latest")["events"][0]["rounds"]

    assert answer["next"] is None
    assert len(answer["results"]) == 6
    first = answer["results"][0]
    assert (first["list_date"], first["result"], first["change_white"]) == ("2026-02-01", "1-0", "7.20")
    own = [row for row in answer["results"] if row["white_id"] == 1001]
    assert [(row["round"], row["counts_white"], row["reason_white"]) for row in own] == [
        (one["round"], one["counts"], one["reasons"][0]) for one in calculated
    ]


def test_pages_follow_each_other_by_cursor(month: Month, get: Get, client: Client) -> None:
    every = get("/games", {"since": "2026-02-01"})["results"]
    address, found = f"{ROOT}/games?since=2026-02-01&limit=2", []
    while address:
        page = client.get(address).json()
        found += page["results"]
        address = page["next"]
    assert found == every
    assert get("/games", {"since": "2026-02-02"})["results"] == []


def test_games_of_a_player_are_those_of_each_id_of_the_person(month: Month, get: Get) -> None:
    assert pairs(get("/games", {"player": 1003, "limit": 1})["results"]) == [(1001, 1003)]
    own = get("/games", {"player": 1003})["results"]
    assert pairs(own) == [(1001, 1003), (1002, 1003), (1003, 1004)]
    Player.objects.filter(pk=1003).update(merged_into=1001)
    assert len(get("/games", {"player": 1001})["results"]) == 5
    assert get("/games", {"player": 1003})["results"] == own
    assert get("/games", {"player": 4711})["results"] == []


def test_ids_of_minors_who_hide_their_year_are_left_out(
    month: Month, get: Get, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.filter(pk=1002).update(birth_year=2015)
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    assert pairs(get("/games", {"event": "SUI-OPEN"})["results"])[0] == (1001, None)
    assert get("/games", {"player": 1002})["results"] == []


def test_games_without_a_list_are_not_shown(month: Month, get: Get) -> None:
    later = make.tournament(event_id="SUI-LATER", start=month.second.date)
    make.play_and_rate(later, month.players, [(1, 1, 2, "1-0")])
    assert get("/games", {"event": "SUI-LATER"})["results"] == []


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ({}, "since"),
        ({"player": "x"}, "player"),
        ({"since": "x"}, "since"),
        ({"event": "SUI-OPEN", "cursor": "x"}, "cursor"),
        ({"event": "SUI-OPEN", "cursor": "W10"}, "cursor"),
        ({"event": "SUI-OPEN", "cursor": "WyJhIl0"}, "cursor"),
        ({"event": "SUI-OPEN", "cursor": "WzFd"}, "cursor"),
    ],
)
def test_wrong_parameters_are_named(month: Month, get: Get, query: dict[str, str], name: str) -> None:
    (error,) = get("/games", query, status=400)["errors"]
    assert error["name"] == name
