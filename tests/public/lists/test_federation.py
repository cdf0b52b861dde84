"""The page of a federation on a list, with its image."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from players.models import Federation
from tests import make
from tests.public.pages import codes, page

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/federations/SUI/"


def shown(client: Client, address: str = ADDRESS) -> Any:
    response = client.get(address)
    assert response.status_code == 200
    return response.context


def test_gains_and_what_the_list_took_in_are_shown(client: Client, month: make.Month) -> None:
    context = shown(client)
    assert [(row.player_id, row.change) for row in context["found"].gains] == [(month.hero.pk, 5)]
    assert (context["taken"].tournaments, context["taken"].games) == (1, 2)
    markup = page(client, ADDRESS)
    assert f'href="/players/{month.hero.pk}/rapid/2026-02-01/"' in markup.partition('id="gains"')[2]


def test_text_to_share_names_the_biggest_gain_and_ends_with_the_address(
    client: Client, month: make.Month
) -> None:
    text = shown(client)["page"].share_text
    assert f"{month.hero.name}, +5" in text
    assert text.endswith(f" {settings.SITE_URL}{ADDRESS}")
    assert f'data-copy="{text}"' in page(client, ADDRESS)


def test_first_list_says_that_there_is_nothing_to_compare_with(client: Client) -> None:
    make.entry(rating_list=make.rating_list(date=date(2026, 1, 1)))
    markup = page(client, "/lists/rapid/2026-01-01/federations/SUI/")
    assert codes(markup) == ["first-list"]
    assert 'id="gains"' not in markup
    assert 'id="women"' in markup


def test_federation_without_players_has_a_page(client: Client, month: make.Month) -> None:
    make.federation(code="JPN")
    address = "/lists/rapid/2026-02-01/federations/JPN/"
    assert codes(page(client, address)) == ["nobody-listed"]


@pytest.mark.parametrize(
    "address", ["/lists/rapid/2026-02-01/federations/XXX/", "/lists/rapid/2026-03-01/federations/SUI/"]
)
def test_unknown_federation_or_list_is_not_found(client: Client, month: make.Month, address: str) -> None:
    assert client.get(address).status_code == 404


def test_page_is_a_304_until_the_federation_has_another_name(client: Client, month: make.Month) -> None:
    tags = {"If-None-Match": client.get(ADDRESS).headers["ETag"]}
    assert client.get(ADDRESS, headers=tags).status_code == 304
    Federation.objects.filter(code="SUI").update(name="Other name")
    assert client.get(ADDRESS, headers=tags).status_code == 200


@pytest.mark.parametrize(
    "address", ["/federations/SUI/", "/lists/rapid/2026-02-01/?federation=SUI"], ids=["federation", "list"]
)
def test_federation_and_filtered_list_lead_to_the_highlights(
    client: Client, month: make.Month, address: str
) -> None:
    assert f'href="{ADDRESS}"' in page(client, address)
