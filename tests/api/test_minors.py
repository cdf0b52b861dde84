"""No response of the API reveals the year of birth of a minor whose federation opts in to age bands (age-bands.md)."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from tests import make
from tests.api.conftest import ROOT

pytestmark = pytest.mark.django_db
Get = Callable[..., Any]
ENTRIES = "/lists/rapid/2026-01-01/entries"
PEOPLE = {
    5001: ("SUI", 2013),
    5002: ("SUI", 2008),
    5003: ("SUI", 2007),
    5004: ("AUT", 2013),
    5005: ("SUI", None),
}
SHOWN = {5001: (None, "U14"), 5002: (None, "U18"), 5003: (2007, None), 5004: (2013, None), 5005: (None, None)}


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 6, 1)))
    make.federation(code="SUI")
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    for fide_id, (code, birth_year) in PEOPLE.items():
        federation = make.federation(code=code)
        player = make.player(fide_id=fide_id, name="Sample, S", federation=federation, birth_year=birth_year)
        make.entry(player=player)


def shown(rows: list[dict[str, Any]]) -> dict[int, tuple[Any, Any]]:
    return {row["fide_id"]: (row["birth_year"], row["age_band"]) for row in rows}


def test_entries_show_bands(get: Get) -> None:
    assert shown(get(ENTRIES)["results"]) == SHOWN


def test_search_shows_bands(get: Get) -> None:
    assert shown(get("/players", {"q": "sample"})["results"]) == SHOWN


@pytest.mark.parametrize("fide_id", PEOPLE)
def test_player_shows_the_band(get: Get, fide_id: int) -> None:
    assert shown([get(f"/players/{fide_id}")]) == {fide_id: SHOWN[fide_id]}


def test_ndjson_shows_bands(client: Client) -> None:
    body = client.get(f"{ROOT}{ENTRIES}.ndjson").getvalue().decode()
    assert shown([json.loads(line) for line in body.splitlines()]) == SHOWN


def test_csv_shows_bands(client: Client) -> None:
    body = client.get(f"{ROOT}{ENTRIES}.csv").getvalue().decode()
    rows = csv.DictReader(body.splitlines())
    found = {int(row["fide_id"]): (row["birth_year"], row["age_band"]) for row in rows}
    assert found == {fide_id: (str(year or ""), band or "") for fide_id, (year, band) in SHOWN.items()}


@pytest.mark.parametrize("ending", ["", ".csv"])
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("birth_year_from=2013&birth_year_to=2013", {5001, 5004}),
        ("birth_year_from=2012&birth_year_to=2012", {5001}),
        ("birth_year_from=2014", set()),
        ("birth_year_to=2012", {5001, 5002, 5003}),
        ("birth_year_to=2011", {5002, 5003}),
    ],
)
def test_filters_find_minors_by_whole_bands(client: Client, query: str, found: set[int], ending: str) -> None:
    response = client.get(f"{ROOT}{ENTRIES}{ending}?{query}")
    if not ending:
        ids = {row["fide_id"] for row in response.json()["results"]}
    else:
        ids = {int(row["fide_id"]) for row in csv.DictReader(response.getvalue().decode().splitlines())}
    assert ids == found


@pytest.mark.parametrize("address", [ENTRIES, "/players/5001"])
def test_cached_answer_is_invalid_after_opt_in(client: Client, address: str) -> None:
    Federation.objects.update(hides_birth_years_of_minors=False)
    before = client.get(f"{ROOT}{address}")
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    after = client.get(f"{ROOT}{address}", headers={"if-none-match": before["ETag"]})
    assert (after.status_code, "Last-Modified" in after) == (200, False)
