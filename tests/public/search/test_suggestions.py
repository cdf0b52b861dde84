"""Suggestions for what is typed so far."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from players.models import Player
from public.search.suggestions import mark_words
from tests import make
from tests.growth import find_growing, pages_of
from tests.public.pages import text_of

pytestmark = pytest.mark.django_db
HREF = re.compile(r'href="([^"]+)"')


def suggested(client: Client, words: str, only: str = "") -> list[str]:
    response = client.get("/search/suggestions", {"q": words, "in": only})
    assert response.status_code == 200
    return [address for address in HREF.findall(response.content.decode()) if "/search?" not in address]


@pytest.mark.parametrize(
    "words",
    ["GM Wellenstein", "we", "Велленштейн", "llenstein", "lenstein marc", "4090", "4090519", "Welenstein"],
)
def test_typical_input_finds_the_player(client: Client, wellenstein: Player, words: str) -> None:
    assert suggested(client, words) == ["/players/4090519/"]


@pytest.mark.parametrize(
    ("words", "marked"),
    [
        ("schon", "<mark>Schön</mark>wälder, Götz"),
        ("got walder", "Schön<mark>wälder</mark>, <mark>Göt</mark>z"),
    ],
)
def test_what_was_typed_is_marked(words: str, marked: str) -> None:
    assert mark_words("Schönwälder, Götz", words) == marked
    assert mark_words("<b>", "b") == "&lt;<mark>b</mark>&gt;"


def test_title_that_is_a_name_finds_the_name(client: Client, wellenstein: Player) -> None:
    assert suggested(client, "im") == ["/players/4100001/"]
    assert suggested(client, "im sample") == ["/players/4100002/"]


@pytest.mark.parametrize("words", ["", "w", " ", "\x00", "99999999999", "0409", "zzzz"])
def test_no_match_gives_an_empty_fragment(client: Client, wellenstein: Player, words: str) -> None:
    assert suggested(client, words) == []


def test_fragment_of_a_new_name_is_found_at_once(client: Client, wellenstein: Player) -> None:
    assert suggested(client, "ollenstein") == []
    player = make.player(name="Kollenstein, Eva")
    assert suggested(client, "ollenstein") == [f"/players/{player.pk}/"]


@pytest.mark.parametrize("words", ["Lakeside Rapid", "lakside", "Lakeside Rapdi", "lake"])
def test_tournament_is_found_with_a_typing_error(client: Client, words: str) -> None:
    make.tournament(name="Another Open")
    event = make.tournament(name="Lakeside Rapid")
    assert suggested(client, words) == [f"/tournaments/{event.event_id}/"]


def test_at_most_8_are_suggested_and_tournaments_have_room(client: Client) -> None:
    rating_list = make.rating_list()
    for number in range(12):
        make.entry(rating_list=rating_list, rating=1500 + number, player__name=f"Common, Carl {number}")
    for number in range(4):
        make.tournament(name=f"Common Open {number}")
    found = suggested(client, "common")
    assert (len(found), sum("/tournaments/" in address for address in found)) == (8, 2)


def test_highest_rated_of_many_of_one_name_are_suggested_first(client: Client) -> None:
    rating_list = make.rating_list()
    entries = [
        make.entry(rating_list=rating_list, rating=1500 + number, player__name=f"Common, Carl {number}")
        for number in range(30)
    ]
    make.player(name="Common, Clara")
    best = [f"/players/{entry.player_id}/" for entry in reversed(entries)]
    assert suggested(client, "common") == best[:8]


@pytest.mark.parametrize("words", ["open lake", "kesid", "sui-r26-lake"])
def test_tournament_is_found_by_all_words_or_its_id(client: Client, words: str) -> None:
    make.tournament(name="Riverside Open")
    make.tournament(event_id="SUI-R26-LAKE", name="Lakeside Open")
    assert suggested(client, words) == ["/tournaments/SUI-R26-LAKE/"]


def test_federations_are_suggested_by_code_and_name(client: Client, wellenstein: Player) -> None:
    make.federation(code="SUI", name="Switzerland")
    make.federation(code="NZL", name="New Zealand")
    assert suggested(client, "sui") == ["/federations/SUI/"]
    assert suggested(client, "zeal") == ["/federations/NZL/"]
    assert suggested(client, "itzerland") == []
    assert "New Zealand NZL" in text_of(client.get("/search", {"q": "zealand"}).content.decode())


def test_search_of_one_kind_suggests_nothing_else(client: Client) -> None:
    make.federation(code="KEN", name="Kenya")
    event = make.tournament(name="Kenya Open")
    make.player(name="Kenya, Ken")
    assert suggested(client, "kenya", only="tournaments") == [f"/tournaments/{event.event_id}/"]
    assert suggested(client, "kenya", only="federations") == ["/federations/KEN/"]
    assert len(suggested(client, "kenya")) == 3


def test_suggestions_make_no_more_queries_for_three_than_for_one(client: Client) -> None:
    shown = pages_of(client, "/search/suggestions?q=other")
    assert (
        find_growing(make.play_month, [(name, lambda _month, ask=ask: ask(None)) for name, ask in shown])
        == {}
    )
