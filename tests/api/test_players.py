"""Players: search, profile, history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from ratings.models import ListEntry
from tests import make
from tests.api.conftest import ROOT, Get, Month


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ("jose muller", [1001]),
        ("EVA", [1002]),
        ("1003", [1003]),
        ("1001, 1003", [1001, 1003]),
        ("zz", []),
    ],
)
def test_player_is_found(month: Month, get: Get, q: str, expected: list[int]) -> None:
    assert [row["fide_id"] for row in get("/players", {"q": q})["results"]] == expected


def test_many_players_are_found_by_their_ids(month: Month, get: Get) -> None:
    merged = make.player(fide_id=1099, merged_into=month.players[0])

    found = get("/players", {"ids": f"1003,777,{merged.pk},1001,1004"})

    assert [row["fide_id"] for row in found["results"]] == [1003, 1001, 1004]
    assert found["results"][2]["ratings"] == {"standard": None, "rapid": None, "blitz": None}
    assert (found["unknown"], found["truncated"]) == ([777], False)
    only = get("/players", {"ids": "1003,1001", "federation": "NOR"})
    assert [row["fide_id"] for row in only["results"]] == [1003]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"club": "SC Alpha"}, [1001, 1002]),
        ({"club": "SC Alpha", "federation": "SUI", "district": "North"}, [1001]),
        ({"district": "North"}, [1001]),
        ({"club": "SC Alpha", "federation": "NOR"}, []),
        ({"club": "SC Alpha", "q": "e"}, [1002]),
        ({"club": "SC Alpha", "ids": "1003,1002,2002"}, [1002, 1001]),
        ({"federation": "NOR", "q": "berk"}, [1003]),
    ],
)
def test_players_of_a_club_are_found(
    month: Month, get: Get, query: dict[str, str], expected: list[int]
) -> None:
    make.player(fide_id=2002, merged_into=month.players[0])
    make.player(fide_id=2003, name="Berk, Ada")

    assert [row["fide_id"] for row in get("/players", query)["results"]] == expected


def test_one_name_is_searched_in_a_club_however_many_others_have_it(month: Month, get: Get) -> None:
    for number in range(5):
        make.entry(player=make.player(name=f"Adams, A{number}"), rating=2500, rating_list=month.second)

    found = get("/players", {"q": "adams", "club": "SC Alpha", "limit": 2})

    assert ([row["fide_id"] for row in found["results"]], found["truncated"]) == ([1002], False)


def test_a_large_club_is_cut(month: Month, get: Get) -> None:
    found = get("/players", {"club": "SC Alpha", "limit": 1})
    assert ([row["fide_id"] for row in found["results"]], found["truncated"]) == ([1001], True)


def test_players_have_their_club_and_no_national_number(month: Month, get: Get, client: Client) -> None:
    found = {row["fide_id"]: row for row in get("/players", {"ids": "1001,1002,1004"})["results"]}
    found[1003] = get("/players/1003")

    assert {fide_id: (row["club"], row["district"]) for fide_id, row in found.items()} == {
        1001: ("SC Alpha", "North"),
        1002: ("SC Alpha", ""),
        1003: ("SK Norge", ""),
        1004: ("", ""),
    }
    for address in ("/players?ids=1001", "/players/1001", "/players?q=N1001"):
        assert "N1001" not in client.get(f"{ROOT}{address}").content.decode()


def test_a_player_has_no_club_of_a_former_federation(month: Month, get: Get) -> None:
    Player.objects.filter(pk=1001).update(federation="NOR")
    assert get("/players/1001")["club"] == ""


def test_lookup_of_a_thousand_ids_needs_few_queries(
    month: Month, get: Get, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    ids = [1001, *range(500_000_000, 500_000_999)]
    with django_assert_max_num_queries(8):
        found = get("/players", {"ids": ",".join(map(str, ids))})
    assert (len(found["results"]), len(found["unknown"])) == (1, 999)


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({"ids": ",".join(map(str, range(1, 1002)))}, ("ids", "Too many FIDE IDs: 1001. Send at most 1000.")),
        (
            {"ids": "1001,x"},
            ("ids", "“x” is not a FIDE ID. Separate numbers by commas, for example 1001,1002."),
        ),
        ({"ids": "1001", "q": "eva"}, ("q", "Send either `q` or `ids`.")),
        ({}, ("q", "Send `q`, `ids`, `club` or `district`.")),
    ],
)
def test_invalid_lookup_says_what_to_send(
    month: Month, get: Get, query: dict[str, str], fault: tuple[str, str]
) -> None:
    (found,) = get("/players", query, status=400)["errors"]
    assert (found["name"], found["detail"]) == fault


def test_search_finds_names_written_together_and_similar_ones(month: Month, get: Get) -> None:
    for fide_id, name in ((7001, "Van der Berg, Piet"), (7002, "Al Sayed, Omar"), (7003, "Delacruz, Rita")):
        make.player(fide_id=fide_id, name=name)
    searches = {
        "vanderberg": (7001, False),
        "Vander Berg": (7001, False),
        "alsayed": (7002, False),
        "omar alsayed": (7002, False),
        "de la cruz": (7003, False),
        "al-sayyed": (7002, True),
        "delakruz": (7003, True),
    }
    found = {text: get("/players", {"q": text}) for text in searches}
    assert {
        text: ([one["fide_id"] for one in answer["results"]], answer["similar"])
        for text, answer in found.items()
    } == {text: ([fide_id], similar) for text, (fide_id, similar) in searches.items()}


def test_player_never_shows_the_birth_date(month: Month, get: Get, client: Client) -> None:
    Player.objects.filter(pk=1001).update(birth_date=date(1980, 5, 17))
    player = get("/players/1001")
    assert (player["birth_year"], player["deceased"]) == (1980, False)
    for address in (
        "/players?q=jose",
        "/players/1001",
        "/players/1001/history",
        "/lists/rapid/latest/entries",
    ):
        assert "1980-05" not in client.get(f"{ROOT}{address}").content.decode()


def test_merged_player_redirects(month: Month, client: Client) -> None:
    make.player(fide_id=2001, merged_into=month.players[0])
    response = client.get(f"{ROOT}/players/2001")
    assert (response.status_code, response["Location"]) == (301, f"http://testserver{ROOT}/players/1001")


def test_unlisted_entry_has_no_figures(month: Month, get: Get) -> None:
    ListEntry.objects.filter(rating_list=month.second, player=1001).update(status="withheld")
    (kind,) = get("/players/1001")["ratings"]
    assert (kind["rating"], kind["k"], kind["rank"]) == (None, None, None)
    rows = get("/players/1001/history")["results"]
    assert [(row["date"], row["rating"], row["k"]) for row in rows] == [
        ("2026-02-01", None, None),
        ("2026-01-01", 1900, 20),
    ]
    assert [row["fide_id"] for row in get("/lists/rapid/latest/entries")["results"]] == [1002, 1003]
    assert get("/players/1001/calculations/rapid/latest")["new_rating"] is None
    changes = get("/publications/rapid-2026-01-01/changes")["results"]
    assert {row["fide_id"]: row["new_rating"] for row in changes} == {
        1001: None,
        1002: 1803,
        1003: 1783,
        1004: None,
    }
