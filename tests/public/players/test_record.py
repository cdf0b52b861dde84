"""A player's record and badge."""

from __future__ import annotations

from datetime import date
from xml.etree import ElementTree

import pytest
from django.test import Client

from players.models import Player
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
)
from tests.public.pages import codes, page, rows
from tests.ratings.played import play_month

pytestmark = pytest.mark.django_db


@pytest.fixture
def three() -> list[Player]:
    """Return three rated players after a tournament of several rounds, one of them won by forfeit."""
    first = RatingListFactory()
    players = [
        ListEntryFactory(rating_list=first, rating=rating, player__name=name).player
        for rating, name in ((1800, "Hero, Hanna"), (1900, "Strong, Stan"), (1700, "Weak, Wim"))
    ]
    pairings = [(1, 1, 2, "1-0"), (2, 3, 1, "0-1"), (3, 2, 1, "1/2"), (4, 1, 3, "0-1"), (5, 1, 2, "+-")]
    play_and_rate(TournamentFactory(name="Open of Alphaville"), players, pairings)
    publish("rapid", date(2026, 2, 1))
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
    month = play_month(is_published=False)
    assert codes(page(client, f"/players/{month.hero.pk}/record/")) == ["no-games"]


def test_badge_is_an_image_with_the_current_ratings(client: Client) -> None:
    month = play_month()
    Player.objects.filter(pk=month.hero.pk).update(name="Hero & <Heroine>, H")
    response = client.get(f"/players/{month.hero.pk}/badge.svg")
    assert response.headers["Content-Type"] == "image/svg+xml"
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    texts = [element.text for element in ElementTree.fromstring(response.content).iter() if element.text]  # noqa: S314 our own
    assert [text.strip() for text in texts if text.strip()] == [
        "Hero & <Heroine>, H",
        "rapid, 02/2026",
        "1905",
    ]


def test_badge_and_record_of_a_merged_id_are_the_remaining_players(client: Client) -> None:
    stands = PlayerFactory()
    merged = PlayerFactory(merged_into=stands)
    for name in ("record/", "badge.svg"):
        response = client.get(f"/players/{merged.pk}/{name}")
        assert response.headers["Location"] == f"/players/{stands.pk}/{name}"
