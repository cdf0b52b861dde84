"""The pages of federations."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client

from players.models import Federation, FederationExclusion
from tests.factories import FederationFactory, ListEntryFactory, RatingListFactory, noon
from tests.public.pages import page, rows, text_of
from tests.ratings.played import play_month

pytestmark = pytest.mark.django_db


def test_federation_shows_its_top_players_and_tournaments(client: Client) -> None:
    month = play_month()
    Federation.objects.filter(code="SUI").update(officer_name="Officer, Olga")
    markup = page(client, "/federations/SUI/")
    assert re.search(r"SUI · Europe · .*Officer, Olga", text_of(markup))
    assert rows(markup)[1:] == [
        ["Hero, Hanna", "1980", "1905", "▲ +5 gain"],
        ["Other, Otto 0", "1980", "1695", "▼ −5 loss"],
    ]
    event = month.tournaments[0]
    assert rows(markup, table=1)[1:] == [[event.name, "Sat 10 Jan 2026", "rapid 15+10", "published"]]


def test_federation_without_lists_offers_none(client: Client) -> None:
    FederationFactory(code="SUI")
    assert "Earlier lists" not in text_of(page(client, "/federations/SUI/"))
    RatingListFactory(kind="rapid", date=date(2026, 1, 1))
    assert client.get("/federations/SUI/").context["days"] == [date(2026, 1, 1)]
    assert "Earlier lists" in text_of(page(client, "/federations/SUI/"))


@pytest.mark.parametrize("words", ["europe", "europa"])
def test_continent_is_shown_and_found_in_the_language_of_the_page(client: Client, words: str) -> None:
    FederationFactory(code="SUI", name="Switzerland", continent="Europe")
    FederationFactory(code="JPN", name="Japan", continent="Asia")

    found = rows(page(client, f"/de/federations/?q={words}"))[1:]
    assert {row[2] for row in found} == {"Europa"}
    assert [row[:2] for row in found if row[1] in ("SUI", "JPN")] == [["Schweiz", "SUI"]]
    assert "SUI · Europa" in text_of(page(client, "/de/federations/SUI/"))


def test_8_3_the_officer_is_shown_with_the_public_details(client: Client) -> None:
    hours = "weekdays 9 to 12"
    details = f"office@sui.example, {hours} <script>"
    FederationFactory(code="SUI")
    Federation.objects.filter(code="SUI").update(officer_name="Officer, Olga", officer_details=details)
    markup = page(client, "/federations/SUI/")
    assert 'href="mailto:office@sui.example"' in markup
    assert f"{hours} &lt;script&gt;" in markup
    assert "<script>" not in markup.partition("</header>")[0]


def test_average_is_that_of_the_top_ten_active_players(client: Client) -> None:
    first = RatingListFactory()
    for rating in range(2000, 2011):
        ListEntryFactory(rating_list=first, rating=rating)
    ListEntryFactory(rating_list=first, rating=2500, is_inactive=True)
    assert [top.average for top in client.get("/federations/SUI/").context["tops"]] == [2005]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"is_member": False}, "This federation is not a member of FIDE, or is excluded"),
        (
            {"is_member": False, "listing_reference": "Council 7/2025"},
            "Its players are listed by decision of FIDE Council: Council 7/2025 (article 9.1).",
        ),
    ],
)
def test_membership_of_a_federation_is_shown(
    client: Client, values: dict[str, object], sentence: str
) -> None:
    FederationFactory(code="ZZZ", **values)
    assert sentence in text_of(page(client, "/federations/ZZZ/"))


def test_exclusion_is_shown_in_the_list_of_federations(client: Client) -> None:
    france = FederationFactory(code="FRA", name="France")
    FederationExclusion.objects.create(
        federation=france, excluded_from=date(2020, 1, 1), recorded_at=noon(date(2020, 1, 1))
    )
    assert ["France", "FRA", "Europe", "excluded"] in rows(page(client, "/federations/"))


@pytest.mark.parametrize("code", ["XYZ", "sui", "TOOLONG", "%00"])
def test_unknown_federation_is_a_404(client: Client, code: str) -> None:
    assert client.get(f"/federations/{code}/").status_code == 404


def test_federations_show_their_players_and_are_searched(client: Client) -> None:
    newest = RatingListFactory()
    FederationFactory(code="SUI")
    Federation.objects.filter(code="SUI").update(name="Schweiz Échecs", continent="Europe")
    ListEntryFactory.create_batch(2, rating_list=newest, player__federation_id="SUI")
    assert rows(page(client, "/federations/?q=echecs euro"))[1:] == [
        ["Schweiz Échecs", "SUI", "Europe", "2", ""]
    ]
    assert rows(page(client, "/federations/?q=sui"))[0] == [
        "Name", "Code", "Continent", "Players, rapid", "Status"
    ]  # fmt: skip
    assert "No federation matches" in text_of(page(client, "/federations/?q=nowhere"))


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("", ["Austria", "Egypt", "France", "Switzerland"]),
        ("/fr", ["Autriche", "Égypte", "France", "Suisse"]),
        ("/de", ["Ägypten", "Frankreich", "Österreich", "Schweiz"]),
    ],
)
def test_federations_are_sorted_by_the_names_of_the_page(
    client: Client, language: str, expected: list[str]
) -> None:
    codes = {"AUT": "Austria", "EGY": "Egypt", "FRA": "France", "SUI": "Switzerland"}
    for code, name in codes.items():
        FederationFactory(code=code, name=name)

    shown = [row[0] for row in rows(page(client, f"{language}/federations/"))[1:] if row[1] in codes]
    assert shown == expected
    found = text_of(page(client, f"{language}/search?q={expected[-1]}"))
    assert f"{expected[-1]} SUI" in found
