"""The record of a player."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Player
from tests import make
from tests.public.pages import codes, page, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def three() -> list[Player]:
    """Return three rated players after a tournament of several rounds, one of them won by forfeit."""
    first = make.rating_list()
    players = [
        make.entry(rating_list=first, rating=rating, player__name=name).player
        for rating, name in ((1800, "Hero, Hanna"), (1900, "Strong, Stan"), (1700, "Weak, Wim"))
    ]
    pairings = [(1, 1, 2, "1-0"), (2, 3, 1, "0-1"), (3, 2, 1, "1/2"), (4, 1, 3, "0-1"), (5, 1, 2, "+-")]
    make.play_and_rate(make.tournament(name="Open of Alphaville"), players, pairings)
    make.publish("rapid", date(2026, 2, 1))
    return players


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
