"""The towns of places, towns by name, and distances between them."""

from __future__ import annotations

import math

import pytest

from tests import make
from tests.shared import SharedRows
from tests.tournaments.towns import import_some_towns
from tournaments.models import Town, TownSpelling
from tournaments.towns import (
    distance_from,
    find_towns,
    match_all_towns,
    suggest_towns,
    towns_at,
    towns_within,
)


@pytest.fixture(scope="module")
def towns_of_module(rows_of_module: SharedRows, tmp_path_factory: pytest.TempPathFactory) -> None:
    with rows_of_module():
        import_some_towns(tmp_path_factory.mktemp("towns"))


@pytest.fixture(autouse=True)
def _towns(towns_of_module: None, db: None) -> None:
    pass


LUXEMBOURG, ESCH, KIRCHBERG, GENEVA = 2960316, 2960657, 2960589, 2660646
MUNICH, HALLE, PARIS, ALTDORF, TUBINGEN = 2867714, 2911522, 2988507, 2661861, 2820860
NEWPORT_IN_WALES, NEWPORT_IN_ENGLAND = 2641598, 2641599


@pytest.mark.parametrize(
    ("federation", "city", "town"),
    [
        ("LUX", "Luxembourg", LUXEMBOURG),
        ("LUX", "LUXEMBURG", LUXEMBOURG),
        ("LUX", "Luxembourg, Kirchberg", KIRCHBERG),
        ("LUX", "Luxembourg, Gare", LUXEMBOURG),
        ("LUX", "Esch/Alzette", ESCH),
        ("LUX", "Esch - Maison du Peuple", ESCH),
        ("SUI", "Genève", GENEVA),
        ("SUI", "Geneva", GENEVA),
        ("SUI", "Genf", GENEVA),
        ("GER", "München", MUNICH),
        ("GER", "Munich", MUNICH),
        ("GER", "Muenchen", MUNICH),
        ("GER", "Tuebingen", TUBINGEN),
        ("FRA", "Paris 12e", PARIS),
        ("FRA", "75012 Paris", PARIS),
        ("USA", "Paris, TX", 4717560),
        # The largest of its name; the one that is a part of the name of a far larger one is not meant.
        ("SUI", "Altdorf", ALTDORF),
        ("GER", "Halle", HALLE),
        ("GER", "Halle (Saale)", HALLE),
        ("ENG", "Newport", NEWPORT_IN_ENGLAND),
        ("WLS", "Newport", NEWPORT_IN_WALES),
        # Never a guess: another country, what is no town, an addition that tells several towns apart.
        ("GER", "Genf", None),
        ("LUX", "Luxembourg Kirchberg Gare", None),
        ("LUX", "online", None),
        ("LUX", "", None),
        ("LUX", "12345", None),
        ("SUI", "Altdorf, Bern", None),
        ("SCO", "Newport", None),
        ("FID", "Paris", None),
        ("XYZ", "Paris", None),
        ("LUX", "\x00" * 80, None),
    ],
)
def test_a_place_has_the_town_of_exactly_its_name(federation: str, city: str, town: int | None) -> None:
    assert towns_at([(federation, city)]).get((federation, city)) == town


def test_places_are_found_together(django_assert_max_num_queries: object) -> None:
    places = [
        ("SUI", "Genf"),
        ("LUX", "Esch"),
        ("FRA", "Nowhere"),
        *(("FRA", f"Paris {n}") for n in range(300)),
    ]
    with django_assert_max_num_queries(2):  # type: ignore[operator]
        found = towns_at(places)
    assert len(found) == 302


@pytest.mark.parametrize(
    ("text", "towns"),
    [
        ("geneva", [GENEVA, 4893591]),
        ("Geneva, US", [4893591]),
        ("Geneva, USA", [4893591]),
        ("Geneva, IL", [4893591]),
        ("Geneva, Switzerland", [GENEVA]),
        ("Paris", [PARIS, 4717560]),
        ("Newport, WLS", [NEWPORT_IN_WALES]),
        ("Genf, Germany", []),
        ("Genf, ", [GENEVA]),
        (",", []),
        ("Nowhere", []),
        ("", []),
        ("x" * 100_000, []),
        ("\x00", []),
    ],
)
def test_a_reader_finds_the_towns_of_a_name(text: str, towns: list[int]) -> None:
    assert [one.pk for one in find_towns(text)] == towns


@pytest.mark.parametrize(
    ("text", "first"),
    [("lux", "Luxembourg"), ("GENÈ", "Geneva"), ("newp", "Newport"), ("halle", "Halle (Saale)")],
)
def test_suggested_towns_begin_with_the_text(text: str, first: str) -> None:
    assert suggest_towns(text, shown=8)[0].name == first


def test_whole_words_and_hosts_of_tournaments_are_suggested_before_larger_towns() -> None:
    Town.objects.filter(pk=LUXEMBOURG).update(name="Eschweiler")
    TownSpelling.objects.create(town_id=LUXEMBOURG, spelling="eschweiler")
    assert [town.name for town in suggest_towns("esch", shown=8)] == ["Esch-sur-Alzette", "Eschweiler"]
    assert suggest_towns("newp", shown=1)[0].pk == NEWPORT_IN_WALES
    make.TournamentFactory(city="Newport", federation=make.federation(code="ENG"))
    match_all_towns()
    assert suggest_towns("newp", shown=1)[0].pk == NEWPORT_IN_ENGLAND


def test_no_town_is_suggested_for_no_letters() -> None:
    assert suggest_towns("☃", shown=8) == []
    assert len(suggest_towns("p", shown=1)) == 1


def haversine(one: Town, other: Town) -> float:
    """The distance by the formula as books have it, in kilometres."""
    p, q = math.radians(one.latitude), math.radians(other.latitude)
    east = math.radians(other.longitude - one.longitude)
    h = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin(east / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(h))


def test_distances_are_those_of_the_great_circle() -> None:
    centre = Town.objects.get(pk=LUXEMBOURG)
    found = dict(Town.objects.annotate(km=distance_from(centre)).values_list("pk", "km"))
    assert found == {one.pk: round(haversine(centre, one)) for one in Town.objects.all()}
    assert (found[LUXEMBOURG], found[ESCH], found[GENEVA], found[2198148]) == (0, 17, 379, 16449)


@pytest.mark.parametrize("centre", [LUXEMBOURG, 2198148, 2729907])
@pytest.mark.parametrize("kilometres", [0, 25, 400, 1300, 1400, 9000, 20_100])
def test_towns_within_a_distance_are_those_of_a_search_without_the_square(
    centre: int, kilometres: int
) -> None:
    middle = Town.objects.get(pk=centre)
    found = {one.pk for one in towns_within(kilometres, middle)}
    assert found == {one.pk for one in Town.objects.all() if round(haversine(middle, one)) <= kilometres}


def test_a_town_at_the_other_end_of_the_earth_has_a_distance() -> None:
    town = Town.objects.create(
        geonames_id=1, name="A", country="XX", latitude=40.0, longitude=-3.0, population=1
    )
    Town.objects.create(geonames_id=2, name="B", country="XX", latitude=-40.0, longitude=177.0, population=1)
    assert Town.objects.annotate(km=distance_from(town)).get(pk=2).km == 20_015
    assert {one.pk for one in towns_within(20_015, town)} >= {1, 2}


def test_a_pole_has_towns_around_it() -> None:
    pole = Town.objects.create(
        geonames_id=1, name="A", country="XX", latitude=90.0, longitude=0.0, population=1
    )
    assert 2729907 in {one.pk for one in towns_within(1400, pole)}
