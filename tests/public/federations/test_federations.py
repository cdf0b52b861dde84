"""The page of all federations."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Federation, FederationExclusion
from tests import make
from tests.public.pages import page, rows, text_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("words", ["europe", "europa"])
def test_continent_is_shown_and_found_in_the_language_of_the_page(client: Client, words: str) -> None:
    make.federation(code="SUI", name="Switzerland", continent="Europe")
    make.federation(code="JPN", name="Japan", continent="Asia")

    found = rows(page(client, f"/de/federations/?q={words}"))[1:]
    assert {row[2] for row in found} == {"Europa"}
    assert [row[:2] for row in found if row[1] in ("SUI", "JPN")] == [["Schweiz", "SUI"]]
    assert "SUI Europa" in text_of(page(client, "/de/federations/SUI/"))


def test_exclusion_is_shown_in_the_list_of_federations(client: Client) -> None:
    france = make.federation(code="FRA", name="France")
    FederationExclusion.objects.create(
        federation=france, excluded_from=date(2020, 1, 1), recorded_at=make.noon(date(2020, 1, 1))
    )
    assert ["France excluded", "FRA", "Europe"] in rows(page(client, "/federations/"))


def test_federations_show_their_players_and_are_searched(client: Client) -> None:
    newest = make.rating_list()
    make.federation(code="SUI")
    Federation.objects.filter(code="SUI").update(name="Schweiz Échecs", continent="Europe")
    make.ListEntryFactory.create_batch(2, rating_list=newest, player__federation_id="SUI")
    assert rows(page(client, "/federations/?q=echecs euro"))[1:] == [["Schweiz Échecs", "SUI", "Europe", "2"]]
    # What none of the federations has is no column.
    make.tournament(federation=make.federation("SUI"), start=date(2999, 1, 1), end=date(2999, 1, 1))
    Federation.objects.filter(code="SUI").update(officer_name="Officer, Olga")
    assert rows(page(client, "/federations/?q=sui")) == [
        ["Name", "Code", "Continent", "Rating officer", "Players, rapid", "Upcoming tournaments"],
        ["Schweiz Échecs", "SUI", "Europe", "Officer, Olga", "2", "1"],
    ]
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
        make.federation(code=code, name=name)

    shown = [row[0] for row in rows(page(client, f"{language}/federations/"))[1:] if row[1] in codes]
    assert shown == expected
    found = text_of(page(client, f"{language}/search?q={expected[-1]}"))
    assert f"{expected[-1]} SUI" in found
