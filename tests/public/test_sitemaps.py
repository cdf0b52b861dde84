"""The sitemaps and robots.txt."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client

from tests import make

pytestmark = pytest.mark.django_db


SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


HOST = settings.SITE_URL


def locations(client: Client, address: str) -> list[str | None]:
    response = client.get(address)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml")
    root = ElementTree.fromstring(response.content)  # noqa: S314 the portal's own answer
    return [one.text for one in root.iter(f"{SITEMAP}loc")]


def test_sitemaps_list_every_page(client: Client, month: make.Month) -> None:
    parts = locations(client, "/sitemap.xml")
    number = month.hero.pk // 50_000
    assert parts == [
        f"{HOST}/sitemaps/{name}.xml" for name in ("pages", "tournaments-2026", f"players-{number}")
    ]
    players = sorted([month.hero.pk, month.others[0].pk])
    assert locations(client, f"/sitemaps/players-{number}.xml") == [f"{HOST}/players/{pk}/" for pk in players]
    events = [f"{HOST}/tournaments/{month.tournaments[0].event_id}/"]
    assert locations(client, "/sitemaps/tournaments-2026.xml") == events
    assert f"{HOST}/lists/rapid/2026-02-01/" in locations(client, "/sitemaps/pages.xml")


def test_robots_txt_disallows_private_paths(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()
    assert text.splitlines() == [
        "User-agent: *",
        *(f"Disallow: /{name}/" for name in ("admin", "accounts", "desk", "api", "follows")),
        f"Sitemap: {HOST}/sitemap.xml",
    ]


def test_unknown_sitemap_is_not_found(client: Client) -> None:
    assert client.get("/sitemaps/players-7.xml").status_code == 404
