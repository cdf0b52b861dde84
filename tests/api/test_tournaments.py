"""Tournaments, their results on a list, and their progress."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests import make
from tests.api.conftest import Get, Month


def test_results_of_a_tournament_appear_with_the_list(month: Month, get: Get) -> None:
    draft = make.tournament(event_id="SUI-DRAFT", start=date(2026, 2, 3))
    make.play(draft, month.players, make.round_robin(4))
    rated = make.tournament(event_id="SUI-RATED", start=date(2026, 2, 5))
    make.play_and_rate(rated, month.players, make.round_robin(4))
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
    make.tournament(event_id="NOR-1", kind="blitz", federation__code="NOR", start=date(2026, 3, 1))
    assert [row["event_id"] for row in get("/tournaments", query)["results"]] == expected


def test_players_of_the_entry_list_are_counted_until_the_tournament_is_rated(month: Month, get: Get) -> None:
    soon, closed = make.tournament(event_id="SUI-SOON"), make.tournament(registration="refused")
    for event in (soon, closed, month.tournament):
        event.entries.create(player=month.players[0])
    soon.entries.create(player=month.players[1])

    with CaptureQueriesContext(connection) as asked:
        rows = get("/tournaments")["results"]

    counts = {row["event_id"]: row["players_entered"] for row in rows}
    assert counts == dict.fromkeys(counts, 0) | {"SUI-SOON": 2}
    assert len([one for one in asked if "tournamententry" in one["sql"]]) == 1
    assert get("/tournaments/SUI-SOON")["players_entered"] == 2
