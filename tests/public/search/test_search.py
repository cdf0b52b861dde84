"""The search for players, tournaments and federations."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Player
from public.search.search import TOURNAMENTS
from tests import make
from tests.public.pages import text_of

pytestmark = pytest.mark.django_db


def test_search_works_without_javascript(client: Client, wellenstein: Player) -> None:
    text = text_of(client.get("/search", {"q": "GM Wellenstein"}).content.decode())
    assert "GM Wellenstein, Marc" in text
    assert client.get("/search", {"q": "40905"}).status_code == 200
    markup = client.get("/").content.decode()
    assert 'data-suggest="/search/suggestions"' in markup


def test_complete_fide_id_finds_its_player_also_a_merged_one(client: Client, wellenstein: Player) -> None:
    former = make.player(fide_id=4_090_600, merged_into=wellenstein)
    for fide_id in (wellenstein.pk, former.pk):
        assert client.get("/search", {"q": fide_id})["Location"] == f"/players/{wellenstein.pk}/"
    assert client.get("/search", {"q": "409051"}).status_code == 200


def test_more_tournaments_than_are_shown_lead_to_all_of_them(client: Client) -> None:
    for _number in range(TOURNAMENTS):
        make.tournament(name="Open of Alphaville")
    every = "/tournaments/?view=all&amp;q=alphaville"
    assert every not in client.get("/search", {"q": "alphaville"}).content.decode()
    make.tournament(name="Open of Alphaville")
    answer = client.get("/search", {"q": "alphaville"})
    assert (len(answer.context["tournaments"]), every in answer.content.decode()) == (TOURNAMENTS, True)


def test_empty_search_has_the_focus_in_its_field(client: Client) -> None:
    assert [
        "autofocus" in client.get("/search", query).content.decode() for query in ({}, {"q": "sample"})
    ] == [True, False]
