"""The search for players, tournaments and federations."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Player
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
