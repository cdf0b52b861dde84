"""No response of the API reveals the year of birth of a minor whose federation opts in to age bands (age-bands.md)."""

from __future__ import annotations

import csv
import json
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from tests import make
from tests.api.conftest import ROOT, Get
from tests.shared import SharedRows

pytestmark = pytest.mark.django_db
ENTRIES = "/lists/rapid/2026-01-01/entries"
PEOPLE = {
    5001: ("SUI", 2013),
    5002: ("SUI", 2008),
    5003: ("SUI", 2007),
    5004: ("AUT", 2013),
    5005: ("SUI", None),
}
SHOWN = {5001: (None, "U14"), 5002: (None, "U18"), 5003: (2007, None), 5004: (2013, None), 5005: (None, None)}


@pytest.fixture(scope="module")
def _listed_in_module(rows_of_module: SharedRows) -> None:
    with rows_of_module():
        make.federation(code="SUI")
        Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
        for fide_id, (code, birth_year) in PEOPLE.items():
            federation = make.federation(code=code)
            make.entry(
                player=make.player(
                    fide_id=fide_id, name="Sample, S", federation=federation, birth_year=birth_year
                )
            )


@pytest.fixture(autouse=True)
def _listed(_listed_in_module: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: make.noon(date(2026, 6, 1)))


def shown(rows: list[dict[str, Any]]) -> dict[int, tuple[Any, Any]]:
    return {row["fide_id"]: (row["birth_year"], row["age_band"]) for row in rows}


def test_entries_show_bands(get: Get) -> None:
    assert shown(get(ENTRIES)["results"]) == SHOWN


def test_search_shows_bands(get: Get) -> None:
    assert shown(get("/players", {"q": "sample"})["results"]) == SHOWN


def test_player_shows_the_band(get: Get) -> None:
    assert shown([get(f"/players/{fide_id}") for fide_id in PEOPLE]) == SHOWN


def test_ndjson_shows_bands(client: Client) -> None:
    body = client.get(f"{ROOT}{ENTRIES}.ndjson").getvalue().decode()
    assert shown([json.loads(line) for line in body.splitlines()]) == SHOWN


def test_csv_shows_bands(client: Client) -> None:
    body = client.get(f"{ROOT}{ENTRIES}.csv").getvalue().decode()
    rows = csv.DictReader(body.splitlines())
    found = {int(row["fide_id"]): (row["birth_year"], row["age_band"]) for row in rows}
    assert found == {fide_id: (str(year or ""), band or "") for fide_id, (year, band) in SHOWN.items()}


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
def test_filters_find_minors_by_whole_bands(client: Client, query: str, found: set[int]) -> None:
    page, table = (client.get(f"{ROOT}{ENTRIES}{ending}?{query}") for ending in ("", ".csv"))
    assert {row["fide_id"] for row in page.json()["results"]} == found
    rows = csv.DictReader(table.getvalue().decode().splitlines())
    assert {int(row["fide_id"]) for row in rows} == found


@pytest.mark.parametrize("address", [ENTRIES, "/players/5001"])
def test_cached_answer_is_invalid_after_opt_in(client: Client, address: str) -> None:
    Federation.objects.update(hides_birth_years_of_minors=False)
    before = client.get(f"{ROOT}{address}")
    Federation.objects.filter(pk="SUI").update(hides_birth_years_of_minors=True)
    after = client.get(f"{ROOT}{address}", headers={"if-none-match": before["ETag"]})
    assert (after.status_code, "Last-Modified" in after) == (200, False)
