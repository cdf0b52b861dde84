"""The badge of a player: an image with the current ratings."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from players.models import Player
from tests import make

pytestmark = pytest.mark.django_db


def test_badge_is_an_image_with_the_current_ratings(client: Client) -> None:
    month = make.play_month()
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


def test_badge_of_a_merged_id_is_that_of_the_remaining_player(client: Client) -> None:
    stands = make.player()
    merged = make.player(merged_into=stands)
    assert client.get(f"/players/{merged.pk}/badge.svg")["Location"] == f"/players/{stands.pk}/badge.svg"
