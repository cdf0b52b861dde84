"""What the resources say of a published month."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from ratings.models import ListEntry
from tests.api.conftest import ROOT, Month
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    TournamentFactory,
    play,
    play_and_rate,
    publish,
    round_robin,
)

Get = Callable[..., Any]


def test_entries_come_in_list_order_page_by_page(month: Month, get: Get, client: Client) -> None:
    for fide_id, name in ((1010, "Same, A"), (1009, "Same, B"), (1011, "Same, A"), (1008, "Élan, Z")):
        ListEntryFactory(player=PlayerFactory(fide_id=fide_id, name=name), rating=1800)
    seen, address = [], f"{ROOT}/lists/rapid/2026-01-01/entries?limit=2"
    while address:
        page = client.get(address).json()
        seen += [row["fide_id"] for row in page["results"]]
        address = page["next"]
    assert seen == [1001, 1002, 1003, 1010, 1011, 1009, 1008]


def test_pages_of_the_latest_list_go_on_in_that_list(month: Month, get: Get) -> None:
    first = get("/lists/rapid/latest/entries", {"limit": "2"})
    assert first["next"].partition("?")[0] == f"http://testserver{ROOT}/lists/rapid/2026-02-01/entries"

    publish("rapid", date(2026, 3, 1))

    rest = get(first["next"].removeprefix(f"http://testserver{ROOT}"))
    whole = get("/lists/rapid/2026-02-01/entries")["results"]
    assert first["results"] + rest["results"] == whole


def test_next_page_stands_in_the_link_header(month: Month, client: Client) -> None:
    response = client.get(f"{ROOT}/lists?limit=1")
    assert response["Link"] == f'<{response.json()["next"]}>; rel="next"'


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"federation": "NOR"}, [1003]),
        ({"sex": "F"}, [1002]),
        ({"title": "GM"}, [1001]),
        ({"title": "WIM"}, [1002]),
        ({"birth_year_from": 1990}, [1002, 1003]),
        ({"birth_year_from": 1981, "birth_year_to": 2000}, [1002]),
        ({"rating_from": 1900}, [1001]),
        ({"rating_to": 1800}, [1002, 1003]),
        ({"active": "false"}, []),
        ({"active": "true", "sex": "M"}, [1001, 1003]),
    ],
)
def test_filter_leaves_what_it_names(
    month: Month, get: Get, query: dict[str, Any], expected: list[int]
) -> None:
    rows = get("/lists/rapid/2026-01-01/entries", query)["results"]
    assert [row["fide_id"] for row in rows] == expected


def test_streams_say_what_the_pages_say(month: Month, get: Get, client: Client) -> None:
    address = f"{ROOT}/lists/rapid/2026-02-01/entries"
    rows = get("/lists/rapid/2026-02-01/entries")["results"]
    lines = b"".join(client.get(address, {"format": "ndjson"}).streaming_content).decode()
    assert [json.loads(line) for line in lines.splitlines()] == rows
    response = client.get(address, headers={"accept": "text/csv"})
    table = b"".join(response.streaming_content).decode()
    read = [list(row.values()) for row in csv.DictReader(io.StringIO(table))]
    assert read == [[_in_csv(value) for value in row.values()] for row in rows]
    assert response["Content-Disposition"] == 'attachment; filename="rapid-2026-02-01.csv"'
    assert (client.head(address, {"format": "csv"}).content, response["Vary"]) == (b"", "Accept")


def _in_csv(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_files_are_those_that_the_list_names(month: Month, get: Get, client: Client) -> None:
    files = get("/lists/rapid/2026-02-01")["files"]
    sent = {file["format"]: b"".join(client.get(file["url"]).streaming_content) for file in files}
    assert {name: (len(content), sha256(content).hexdigest()) for name, content in sent.items()} == {
        file["format"]: (file["size"], file["sha256"]) for file in files
    }
    assert sorted(sent) == ["csv", "json", "txt", "xml"]


@pytest.mark.parametrize(
    ("q", "expected"), [("jose muller", [1001]), ("EVA", [1002]), ("1003", [1003]), ("zz", [])]
)
def test_player_is_found(month: Month, get: Get, q: str, expected: list[int]) -> None:
    assert [row["fide_id"] for row in get("/players", {"q": q})["results"]] == expected


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


def test_merged_player_leads_to_the_other(month: Month, client: Client) -> None:
    PlayerFactory(fide_id=2001, merged_into=month.players[0])
    response = client.get(f"{ROOT}/players/2001")
    assert (response.status_code, response["Location"]) == (301, f"http://testserver{ROOT}/players/1001")


def test_entry_that_a_list_does_not_show_gives_no_figure(month: Month, get: Get) -> None:
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


def test_calculation_adds_up(month: Month, get: Get) -> None:
    """1900 against 1800 twice: PD 0.64 each, 0.36 + 0.36 times K 20 (7.3.2)."""
    found = get("/players/1001/calculations/rapid/2026-02-01")
    (event,) = found["events"]
    figures = [event[name] for name in ("games", "score", "sum", "k", "k_reason", "change")]
    assert figures == [2, "2.0", "0.72", 20, "k20-7.3.3", "14.40"]
    assert [(row["pd"], row["change"], row["reasons"]) for row in event["rounds"]] == [
        ("0.64", "0.36", ["counted-7.3.2"]),
        ("0.64", "0.36", ["counted-7.3.2"]),
        (None, None, ["unrated-opponent-7.3.1"]),
    ]
    assert event["rounds"][2]["opponent"] == {
        "number": 4,
        "fide_id": 1004,
        "name": "Neu, Nora",
        "federation": "SUI",
    }
    totals = [found[name] for name in ("previous_rating", "change", "rounded_change", "new_rating", "result")]
    assert totals == [1900, "14.40", 14, 1914, "change-7.3.4"]


def test_tournament_shows_figures_only_once_a_list_has_taken_it(month: Month, get: Get) -> None:
    draft = TournamentFactory(event_id="SUI-DRAFT", start=date(2026, 2, 3))
    play(draft, month.players, round_robin(4))
    rated = TournamentFactory(event_id="SUI-RATED", start=date(2026, 2, 5))
    play_and_rate(rated, month.players, round_robin(4))
    for event_id, published in (("SUI-DRAFT", None), ("SUI-RATED", None)):
        assert get(f"/tournaments/{event_id}")["published"] == published
        get(f"/tournaments/{event_id}/participants", status=404)
    assert get("/tournaments/SUI-OPEN")["published"]["list"] == "rapid-2026-02-01"
    rows = get("/tournaments/SUI-OPEN/participants")["results"]
    assert [(row["number"], row["points"], row["change"]) for row in rows] == [
        (1, "3.0", "14.40"),
        (2, "2.0", "2.80"),
        (3, "1.0", "-17.20"),
        (4, "0.0", None),
    ]
    assert get("/tournaments/SUI-OPEN/participants", {"cursor": "WzJd"}, status=404)["status"] == 404


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["NOR-1", "SUI-OPEN"]),
        ({"federation": "NOR"}, ["NOR-1"]),
        ({"kind": "blitz"}, ["NOR-1"]),
        ({"stage": "published"}, ["SUI-OPEN"]),
        ({"registration": "refused"}, []),
        ({"start_from": "2026-02-01"}, ["NOR-1"]),
        ({"start_to": "2026-01-31"}, ["SUI-OPEN"]),
    ],
)
def test_tournaments_are_filtered(month: Month, get: Get, query: dict[str, str], expected: list[str]) -> None:
    TournamentFactory(event_id="NOR-1", kind="blitz", federation__code="NOR", start=date(2026, 3, 1))
    assert [row["event_id"] for row in get("/tournaments", query)["results"]] == expected


def test_publications_come_in_the_order_in_which_they_appeared(
    month: Month, get: Get, client: Client
) -> None:
    month.first.published_at = datetime(2026, 5, 1, tzinfo=UTC)
    month.first.save(update_fields=["published_at"])
    first = get("/publications", {"limit": 1})
    second = client.get(first["next"]).json()
    assert [row["id"] for page in (first, second) for row in page["results"]] == [
        "rapid-2026-01-01",
        "rapid-2026-02-01",
    ]
    assert second["next"] is None


def test_changes_go_on_page_by_page(month: Month, get: Get, client: Client) -> None:
    seen, address = [], f"{ROOT}/publications/rapid-2026-01-01/changes?limit=3"
    while address:
        page = client.get(address).json()
        seen += [(row["fide_id"], row["rounded_change"]) for row in page["results"]]
        address = page["next"]
    assert seen == [(1001, 14), (1002, 3), (1003, -17), (1004, 0)]
    assert get("/publications/rapid-2026-02-01/changes")["results"] == []


def test_reasons_cover_those_of_the_calculation(month: Month, get: Get) -> None:
    known = {row["key"] for row in get("/reasons")["results"]}
    found = get("/players/1004/calculations/rapid/2026-02-01")
    used = {key for event in found["events"] for row in event["rounds"] for key in row["reasons"]}
    assert used | {found["result"]} <= known
    assert {row["about"] for row in get("/reasons", {"about": "k"})["results"]} == {"k"}


def test_rules_say_when_they_were_in_force(db: None, get: Get) -> None:
    assert [
        (row["slug"], row["first_day"], row["last_day"], row["floor"]) for row in get("/rules")["results"]
    ] == [
        ("fide-rapid-blitz-2022", "2022-01-01", "2023-12-31", 1000),
        ("fide-rapid-blitz-2024", "2024-01-01", None, 1400),
    ]
