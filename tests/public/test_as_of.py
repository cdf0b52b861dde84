"""A player and a federation as of any list, on pages that never change."""

from __future__ import annotations

from datetime import date

import pytest
from django.conf import settings
from django.test import Client

from players.models import Player
from tests import make
from tests.public.pages import codes, page, rows, text_of

pytestmark = pytest.mark.django_db


def test_player_page_shows_the_data_of_the_list(client: Client) -> None:
    month = make.play_month(1)
    address = f"/players/{month.hero.pk}/on/2026-01-01/"
    make.federation(code="KEN")
    Player.objects.filter(pk=month.hero.pk).update(
        name="Married, Hanna", federation="KEN", title="GM", died_on=date(2026, 3, 3)
    )
    text = text_of(page(client, address))
    assert "Hero, Hanna" in text
    assert "SUI Switzerland Born 1980" in text
    assert "Rapid 1900" in text
    for later in ("Married", "KEN", "GM", "1905", "has died", "Open SUI"):
        assert later not in text, later


def test_page_of_a_list_is_unchanged_after_later_lists(client: Client) -> None:
    month = make.play_month(1)
    addresses = [f"/players/{month.hero.pk}/on/2026-02-01/", "/federations/SUI/on/2026-02-01/"]
    before = [text_of(page(client, address)).partition("On the list of")[0] for address in addresses]
    make.publish("rapid", date(2026, 3, 1))
    after = [text_of(page(client, address)).partition("On the list of")[0] for address in addresses]
    assert after == before


def test_federation_page_shows_the_top_players_of_the_list(client: Client) -> None:
    make.play_month(1)
    markup = page(client, "/federations/SUI/on/2026-01-01/")
    assert rows(markup)[1:] == [
        ["Hero, Hanna", "1980", "1900", "new"],
        ["Other, Otto 0", "1980", "1700", "new"],
    ]
    assert "No tournaments registered" in text_of(markup)


@pytest.mark.parametrize(
    "address", ["/players/9/on/2026-01-01/", "/players/{pk}/on/2025-12-01/", "/players/{pk}/?as-of=x"]
)
def test_unknown_list_or_player_is_not_found(client: Client, address: str) -> None:
    entry = make.entry()
    assert client.get(address.format(pk=entry.player_id)).status_code == 404


@pytest.mark.parametrize("address", ["/players/{pk}/", "/federations/SUI/"])
def test_form_redirects_to_the_permanent_address(client: Client, address: str) -> None:
    address = address.format(pk=make.entry().player_id)
    response = client.get(address, {"as-of": "2026-01-01"})
    assert (response.status_code, response["Location"]) == (302, f"{address}on/2026-01-01/")
    assert f'<link rel="canonical" href="{settings.SITE_URL}{address}on/2026-01-01/">' in page(
        client, response["Location"]
    )


def test_page_says_that_the_player_was_on_no_list(client: Client) -> None:
    make.rating_list()
    player = make.player()
    assert codes(page(client, f"/players/{player.pk}/on/2026-01-01/")) == ["on-no-list"]


@pytest.mark.parametrize("address", ["/players/{pk}/on/2026-01-01/", "/federations/SUI/on/2026-01-01/"])
def test_unchanged_page_is_a_304(client: Client, address: str) -> None:
    address = address.format(pk=make.entry().player_id)
    etag = client.get(address)["ETag"]
    assert client.get(address, HTTP_IF_NONE_MATCH=etag).status_code == 304
