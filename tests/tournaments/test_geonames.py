"""Files of towns, and the spellings by which towns are found."""

from __future__ import annotations

import pytest

from players.fide_list import LineProblem
from tests.tournaments.towns import TOWNS, line_of
from tournaments.geonames import TownRecord, open_towns, read_towns, spelling_of


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ("Genève", "geneve"),
        ("  ESCH-sur-Alzette ", "esch sur alzette"),
        ("St. Gallen", "saint gallen"),
        ("Sankt Gallen", "saint gallen"),
        ("L'Aquila", "l aquila"),
        ("Москва", "moskva"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("☃", ""),
    ],
)
def test_a_spelling_has_neither_accents_nor_case(text: str, spelling: str) -> None:
    assert spelling_of(text) == spelling


def read(*lines: str) -> list[TownRecord | LineProblem]:
    return [*read_towns(line.encode() for line in lines)]


def test_a_town_is_read_with_the_names_people_write() -> None:
    found = {
        one.geonames_id: one for one in read(*(line_of(*row) for row in TOWNS)) if isinstance(one, TownRecord)
    }
    assert found[2867714][:-1] == (2867714, "Munich", "DE", "02", 48.137, 11.576, 1505005)
    assert {number: found[number].spellings for number in (2867714, 2820860, 2660646, 4717560)} == {
        2867714: {"munich", "munchen", "muenchen"},
        2820860: {"tubingen", "tuebingen"},
        # No code of an airport, and no transcription of Chinese.
        2660646: {"geneva", "geneve", "genf", "geneva ge"},
        4717560: {"paris", "paris tx"},
    }


GOOD = (2960316, "Luxembourg", "", "49.612", "6.13", "LU", "LU", 76684)


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (0, "x", "GeoNames ID"),
        (0, "0", "GeoNames ID"),
        (0, "9" * 5000, "GeoNames ID"),
        (0, "٣", "GeoNames ID"),
        (1, "", "name"),
        (1, "x" * 201, "name"),
        (1, "Luxem\x00bourg", "name"),
        (3, "north", "latitude"),
        (3, "90.1", "latitude"),
        (3, "nan", "latitude"),
        (4, "-181", "longitude"),
        (4, "1e999", "longitude"),
        (5, "lu", "country"),
        (5, "LUX", "country"),
        (6, "x" * 21, "region"),
        (7, "-1", "population"),
        (7, "", "population"),
        (7, "1" * 12, "population"),
    ],
)
def test_what_is_no_town_is_named_with_its_line(place: int, value: str, says: str) -> None:
    row = [*GOOD]
    row[place] = value
    good, bad = read(line_of(*GOOD), "", line_of(*row))  # type: ignore[arg-type]
    assert isinstance(good, TownRecord)
    assert isinstance(bad, LineProblem)
    assert bad.line == 3
    assert says in bad.message


@pytest.mark.parametrize("line", [b"one column", b"\xff\xfe" + b"\t" * 18, b"7" + b"\t" * 19, b"x" * 200_000])
def test_a_line_of_something_else_is_no_town(line: bytes) -> None:
    [bad] = read_towns([line])
    assert isinstance(bad, LineProblem)


def test_an_id_is_read_once() -> None:
    again = read(line_of(*GOOD), line_of(*GOOD))[1]
    assert isinstance(again, LineProblem)
    assert again.line == 2


def test_the_shipped_towns_can_be_read() -> None:
    with open_towns(None) as found:
        towns = {item.geonames_id: item for item in found if isinstance(item, TownRecord)} | {0: None}
    assert len(towns) > 65_000
    luxembourg = towns[2960316]
    assert luxembourg is not None
    assert (luxembourg.country, round(luxembourg.latitude), "luxemburg" in luxembourg.spellings) == (
        "LU",
        50,
        True,
    )
