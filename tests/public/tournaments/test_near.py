"""The calendar near a town. What it asks of the database is asked of both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

import pytest
from django.test import Client
from django.utils import timezone

from tests import make
from tests.public.pages import page
from tests.shared import SharedRows
from tests.tournaments.towns import import_some_towns
from tests.walk.heads import crooked_tables
from tournaments.models import Tournament, Town
from tournaments.towns import match_all_towns

TODAY = date(2026, 3, 4)
PLACES = [
    ("Home", "Luxembourg", "LUX"),
    ("South", "Esch-sur-Alzette", "LUX"),
    ("Nowhere", "Troisvierges", "LUX"),
    ("Quarter", "Luxembourg, Kirchberg", "LUX"),
    ("Away", "Genève", "SUI"),
    ("Online", "", "LUX"),
]
ESCH, GENEVA_IN_ILLINOIS = 2960657, 4893591


@pytest.fixture(scope="module")
def tournaments_of_module(rows_of_module: SharedRows, tmp_path_factory: pytest.TempPathFactory) -> None:
    with rows_of_module():
        for place, (name, city, code) in enumerate(PLACES):
            start = TODAY + timedelta(days=place)
            make.tournament(
                name=name, city=city, federation=make.federation(code=code), start=start, end=start
            )
        import_some_towns(tmp_path_factory.mktemp("towns"))


@pytest.fixture(autouse=True)
def _tournaments(tournaments_of_module: None, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 4, 9, 30, tzinfo=UTC))


def shown(client: Client, query: str) -> dict[str, int | None]:
    """Return the tournaments of the page in their order, with their distances."""
    rows = client.get(f"/tournaments/?{query}").context["rows"]
    return {row.tournament.name: getattr(row.tournament, "distance", None) for row in rows}


@pytest.mark.database
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("town=Luxembourg", {"Home": 0, "South": 17, "Nowhere": None, "Quarter": 2, "Online": None}),
        ("town=luxemburg&within=50", {"Home": 0, "South": 17, "Nowhere": None, "Quarter": 2, "Online": None}),
        ("town=Esch&within=25", {"Home": 17, "South": 0, "Nowhere": None, "Quarter": 19, "Online": None}),
        ("town=Geneva&within=25", {"Nowhere": None, "Away": 0, "Online": None}),
        (f"town=Geneva&town_id={GENEVA_IN_ILLINOIS}", {"Nowhere": None, "Online": None}),
        ("town=Geneva,+USA", {"Nowhere": None, "Online": None}),
        # The ID of a town of another name is that of a former choice.
        (f"town=Geneva&town_id={ESCH}&within=25", {"Nowhere": None, "Away": 0, "Online": None}),
        (
            "town=Luxembourg&within=any",
            {"Home": 0, "South": 17, "Nowhere": None, "Quarter": 2, "Away": 379, "Online": None},
        ),
        ("town=Luxembourg&q=south", {"South": 17}),
        ("within=50", dict.fromkeys(["Home", "South", "Nowhere", "Quarter", "Away", "Online"])),
    ],
)
def test_tournaments_near_a_town_have_a_distance(
    client: Client, query: str, expected: dict[str, Any]
) -> None:
    found = shown(client, query)
    assert (found, [*found]) == (expected, [*expected])


def test_the_page_of_a_tournament_near_a_town_has_the_distance(client: Client) -> None:
    link = re.search(
        r'href="(/tournaments/[^"]*\?town=[^"]*)">South<', page(client, "/tournaments/?town=Luxembourg")
    )
    assert link
    near = client.get(link[1].replace("&amp;", "&")).context["near"]
    assert (near[0].name, near[1]) == ("Luxembourg", 17)


@pytest.mark.database
def test_the_nearest_come_first_and_unknown_places_last(client: Client) -> None:
    found = shown(client, "town=Luxembourg&within=any&sort=distance")
    assert [*found] == ["Home", "Quarter", "South", "Away", "Nowhere", "Online"]
    assert [*shown(client, "sort=distance")] == [name for name, *_ in PLACES]


@pytest.mark.database
@pytest.mark.parametrize("sort", ["", "distance"])
def test_pages_of_a_town_have_each_tournament_once(
    client: Client, sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("public.tournaments.tournaments.PAGE", 2)
    whole = f"town=Luxembourg&within=any&sort={sort}"
    pages = [[*read] for read in _pages(client, f"?{whole}", "next_url")]
    back = [[*read] for read in _pages(client, f"?{whole}&last=1", "previous_url")][::-1]
    monkeypatch.undo()
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 4, 9, 30, tzinfo=UTC))
    assert [name for read in pages for name in read] == [*shown(client, whole)]
    assert back == pages


def _pages(client: Client, query: str | None, following: str) -> Iterator[list[str]]:
    """Yield the names on each page, from a page on."""
    while query:
        context = client.get(f"/tournaments/{query}").context
        yield [row.tournament.name for row in context["rows"]]
        query = getattr(context["page"], following)


@pytest.mark.database
def test_what_is_near_is_counted(client: Client) -> None:
    context = client.get("/tournaments/?town=Luxembourg").context
    assert context["counted"] == {"total": 6, "here": 3, "unknown": 2}
    assert [number for _label, number, _address, _is_current in context["tabs"]] == [5, 5, 0, 5]
    markup = page(client, "/tournaments/?town=Luxembourg")
    assert "6 upcoming, 3 of them within 50 km of Luxembourg." in markup
    assert "GeoNames" in markup
    assert markup.count('<td class="distance') == 5


def test_table_of_a_town_has_a_head_for_each_column(client: Client) -> None:
    assert [*crooked_tables(page(client, "/tournaments/?town=Esch"))] == []


def test_links_of_the_page_keep_the_town(client: Client) -> None:
    context = client.get("/tournaments/?town=Geneva&within=100&kind=rapid").context
    kept = [address for _label, _number, address, _is_current in context["tabs"]]
    kept += [context["orders"]["date"].url, context["orders"]["distance"].url, context["as_calendar"]]
    for address in kept:
        query = parse_qs(address.partition("?")[2])
        assert (query["town"], query["within"], query["kind"]) == (["Geneva"], ["100"], ["rapid"])
    assert parse_qs(context["all_distances"][1:])["within"] == ["any"]
    assert parse_qs(context["without_town"][1:]) == {"kind": ["rapid"]}
    [(_label, other)] = context["towns_meant"]
    assert parse_qs(other[1:])["town_id"] == [str(GENEVA_IN_ILLINOIS)]


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("town=Nowheresville", "town", "town-unknown"),
        ("town=%00%3Cscript%3E", "town", None),
        ("town=" + "x" * 500, "town", "max_length"),
        ("town=%F0%9F%8F%B0", "town", "town-unknown"),
        ("town=Luxembourg&within=5000", "within", "invalid_choice"),
        ("town=Luxembourg&within=-1", "within", "invalid_choice"),
        ("town=Luxembourg&within=any%00", "within", None),
        ("town=Luxembourg&town_id=" + "9" * 400, "town_id", "max_length"),
    ],
)
def test_what_is_no_town_is_an_error_of_its_field(
    client: Client, query: str, field: str, code: str | None
) -> None:
    response = client.get(f"/tournaments/?{query}")
    assert response.status_code == 200
    errors = response.context["form"].errors.as_data()
    assert [*errors] == [field]
    assert code in (None, errors[field][0].code)
    # A town that is not known filters nothing; what a wrong address has leaves nothing.
    assert len(response.context["rows"]) == (len(PLACES) if field == "town" else 0)
    assert client.get(f"/tournaments/calendar/month?{query}").status_code == 200


@pytest.mark.database
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Luxemborg", ["Luxembourg"]),
        ("Genevva", ["Geneva", "Geneva"]),
        ("Tubin", ["Tübingen"]),
        ("Xyzzq", []),
        ("x" * 90, []),
    ],
)
def test_a_wrong_spelling_is_answered_with_the_towns_that_it_may_mean(
    client: Client, text: str, expected: list[str]
) -> None:
    found = client.get("/tournaments/", {"town": text}).context["towns_meant"]
    assert [label.partition(",")[0] for label, _address in found] == expected


@pytest.mark.parametrize(
    "query", ["town_id=x", "town_id=-1", f"town_id={'9' * 10}", "sort=%00", "sort=-distance"]
)
def test_other_values_are_left_aside(client: Client, query: str) -> None:
    assert [*shown(client, f"town=Luxembourg&{query}")] == ["Home", "South", "Nowhere", "Quarter", "Online"]


def test_a_position_of_another_order_is_not_found(client: Client) -> None:
    make.TournamentFactory.create_batch(2, start=TODAY, end=TODAY)
    assert client.get("/tournaments/?town=Luxembourg&sort=distance&after=WzFd").status_code == 404


@pytest.mark.database
def test_the_month_has_the_tournaments_near_the_town(client: Client) -> None:
    month = client.get("/tournaments/calendar/month?month=2026-03&town=Luxembourg&within=25").context["month"]
    names = [one.name for day in month.days for one in day.tournaments]
    assert names == ["Home", "South", "Nowhere", "Quarter", "Online"]


def test_without_towns_there_is_no_such_filter(client: Client) -> None:
    Tournament.objects.update(town=None)
    Town.objects.all().delete()
    response = client.get("/tournaments/?town=Luxembourg&within=50&sort=distance")
    assert ("town" in response.context["form"].fields, response.context["near"]) == (False, None)
    assert len(response.context["rows"]) == len(PLACES)


def test_queries_do_not_grow_with_the_rows(client: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(12):
        client.get("/tournaments/?town=Geneva,+SUI&within=200&sort=distance")
    luxembourg = make.federation(code="LUX")
    make.TournamentFactory.create_batch(
        20, start=TODAY, end=TODAY, city="Esch", federation=luxembourg, stage="rated"
    )
    match_all_towns()
    with django_assert_max_num_queries(12):
        response = client.get("/tournaments/?town=Luxembourg&within=200&sort=distance")
    assert len(response.context["rows"]) == 25


def test_towns_are_suggested_and_told_apart(client: Client) -> None:
    markup = page(client, "/search/towns?q=gene")
    assert re.findall(r'data-fill="([^"]+)" data-key="(\d+)"', markup) == [
        ("Geneva", "2660646"),
        ("Geneva", str(GENEVA_IN_ILLINOIS)),
    ]
    assert re.findall(r'<span class="quiet">([^<]+)</span>', markup) == [
        "GE, Switzerland",
        "IL, United States",
    ]
    assert 'role="option"' not in page(client, "/search/towns?q=" + "x" * 90)
    assert page(client, "/search/towns?q=%00%3Cb%3E").count("<b>") == 0
