"""The project's own table of federations."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import players

PATH = Path(players.__file__).parent / "data" / "federations.csv"


@pytest.fixture(scope="module")
def federations() -> dict[str, dict[str, str]]:
    with PATH.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        "code",
        "name",
        "continent",
        "is_member",
        "listing_reference",
        "note",
        "territory",
    ]
    assert [row["code"] for row in rows] == sorted({row["code"] for row in rows})
    return {row["code"]: row for row in rows}


def test_every_federation_has_a_name_and_one_of_fides_continents(
    federations: dict[str, dict[str, str]],
) -> None:
    continents = {code: row["continent"] for code, row in federations.items()}
    assert {code for code, continent in continents.items() if not continent} == {"FID", "NON"}
    assert set(continents.values()) == {"", "Africa", "Americas", "Asia", "Europe"}
    assert all(0 < len(row["name"]) <= 80 for row in federations.values())


def test_codes_that_are_no_members_say_whether_their_players_are_listed(
    federations: dict[str, dict[str, str]],
) -> None:
    others = {
        code: row["listing_reference"] for code, row in federations.items() if row["is_member"] == "false"
    }
    assert others == {"AHO": "Listed as on FIDE's own lists, 9.1", "FID": "FIDE flag, 9.1", "NON": ""}
    assert {row["is_member"] for row in federations.values()} == {"true", "false"}


def test_table_has_the_codes_of_the_reference(
    real_data: Path, federations: dict[str, dict[str, str]]
) -> None:
    with (real_data / "reference" / "fide_federations.csv").open(encoding="utf-8", newline="") as file:
        assert {row["code"] for row in csv.DictReader(file)} == set(federations)
