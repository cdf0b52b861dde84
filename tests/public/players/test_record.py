"""The record of a player."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import Player
from tests import make
from tests.public.pages import codes, page, rows

pytestmark = pytest.mark.django_db


def test_score_by_colour_excludes_unplayed_games(client: Client, three: list[Player]) -> None:
    markup = page(client, f"/players/{three[0].pk}/record/")
    assert rows(markup)[1:] == [
        ["Rapid, white", "1 won, 0 drawn, 1 lost", "1 /2"],
        ["Rapid, black", "1 won, 1 drawn, 0 lost", "1½ /2"],
    ]


def test_best_wins_are_those_against_the_highest_rated(client: Client, three: list[Player]) -> None:
    markup = page(client, f"/players/{three[0].pk}/record/")
    event = "Open of Alphaville"
    assert rows(markup, table=3)[1:] == [
        ["White Strong, Stan", "Sat 10 Jan 2026", "1900", "1", event],
        ["Black Weak, Wim", "Sat 10 Jan 2026", "1700", "2", event],
    ]


def test_unpublished_games_are_in_no_record(client: Client) -> None:
    month = make.play_month(is_published=False)
    assert codes(page(client, f"/players/{month.hero.pk}/record/")) == ["no-games"]


def test_record_of_a_merged_id_is_that_of_the_remaining_player(client: Client) -> None:
    stands = make.player()
    merged = make.player(merged_into=stands)
    assert client.get(f"/players/{merged.pk}/record/")["Location"] == f"/players/{stands.pk}/record/"
