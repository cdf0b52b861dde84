"""Feeds, and metadata for programs."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
import time_machine
from django.conf import settings
from django.test import Client

from core.html.dates import day_text
from players.models import Player
from tests import make
from tests.downloads import media_type
from tests.public.pages import page

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
HOST = settings.SITE_URL


def entries(client: Client, address: str) -> list[tuple[str | None, str | None]]:
    """Return the title and the URL of each entry of a feed."""
    response = client.get(address)
    assert (response.status_code, media_type(response)) == (200, ("application/atom+xml", "utf-8"))
    root = ElementTree.fromstring(response.content)  # noqa: S314 the portal's own answer
    return [(one.findtext(f"{ATOM}title"), one.findtext(f"{ATOM}id")) for one in root.iter(f"{ATOM}entry")]


def test_feed_has_the_newest_lists(client: Client, month: make.Month) -> None:
    make.play_month(kind="blitz")
    rapid = [
        ("Rapid rating list, February 2026", f"{HOST}/lists/rapid/2026-02-01/"),
        ("Rapid rating list, January 2026", f"{HOST}/lists/rapid/2026-01-01/"),
    ]
    assert entries(client, "/lists/rapid/feed.atom") == rapid
    assert len(entries(client, "/lists/feed.atom")) == 4
    assert entries(client, "/lists/standard/feed.atom") == []


def test_feeds_have_unique_ids(client: Client, month: make.Month) -> None:
    addresses = ["/lists/feed.atom", "/lists/rapid/feed.atom", "/lists/blitz/feed.atom"]
    ids = [
        ElementTree.fromstring(client.get(address).content).findtext(f"{ATOM}id")  # noqa: S314
        for address in addresses
    ]
    assert ids == [f"{HOST}{address}" for address in addresses]


def test_feed_of_a_player_has_each_change(client: Client, month: make.Month) -> None:
    address = f"{HOST}/players/{month.hero.pk}/rapid"
    found = entries(client, f"/players/{month.hero.pk}/feed.atom")
    assert [(str(title).rpartition(": ")[2], path) for title, path in found] == [
        ("1905 (+5)", f"{address}/2026-02-01/"),
        ("1900", f"{address}/2026-01-01/"),
    ]


def test_feed_of_a_merged_player_redirects(client: Client) -> None:
    stands = make.player()
    merged = make.player(merged_into=stands)
    response = client.get(f"/players/{merged.pk}/feed.atom")
    assert (response.status_code, response["Location"]) == (301, f"/players/{stands.pk}/feed.atom")


def test_feed_of_a_federation_has_its_tournaments(client: Client) -> None:
    event = make.tournament(name="Open <&> Closed", federation=make.federation(code="KEN"))
    make.tournament()
    expected = [("Open <&> Closed", f"{HOST}/tournaments/{event.event_id}/")]
    assert entries(client, "/federations/KEN/feed.atom") == expected


def test_tournament_without_a_city_has_no_empty_part(client: Client) -> None:
    event = make.tournament(city="")
    assert (
        f"{event.time_control}, {day_text(event.start)}"
        in client.get("/federations/SUI/feed.atom").content.decode()
    )


def test_feed_without_entries_is_always_the_same(client: Client) -> None:
    address = f"/players/{make.player().pk}/feed.atom"
    with time_machine.travel("2026-03-01 12:00Z", tick=False):
        first = client.get(address)
    with time_machine.travel("2026-03-01 12:01Z", tick=False):
        second = client.get(address)
    assert entries(client, address) == []
    assert (second.content, second["ETag"]) == (first.content, first["ETag"])


@pytest.mark.parametrize("address", ["/players/9/feed.atom", "/federations/XXX/feed.atom"])
def test_unknown_feed_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "address", ["/lists/feed.atom", "/players/{pk}/feed.atom", "/federations/SUI/feed.atom"]
)
def test_unchanged_feed_is_a_304(client: Client, address: str, month: make.Month) -> None:
    address = address.format(pk=month.hero.pk)
    etag = client.get(address)["ETag"]
    assert client.get(address, HTTP_IF_NONE_MATCH=etag).status_code == 304


def test_page_has_structured_data_for_search_engines(client: Client, month: make.Month) -> None:
    Player.objects.filter(pk=month.hero.pk).update(name="</script><b>, H")
    block = re.compile(r'<script type="application/ld\+json">(.*?)</script>')
    event = month.tournaments[0]
    pages = (f"/players/{month.hero.pk}/", f"/tournaments/{event.event_id}/", "/lists/rapid/2026-02-01/")
    found = [json.loads(block.findall(client.get(address).content.decode())[0]) for address in pages]
    assert [one["@type"] for one in found] == ["Person", "SportsEvent", "Dataset"]
    assert (found[0]["name"], found[1]["startDate"]) == ("</script><b>, H", "2026-01-10")
    assert [one["url"] for one in found] == [f"{HOST}{address}" for address in pages]


def test_page_has_metadata_for_link_previews(client: Client, month: make.Month) -> None:
    player = month.hero
    Player.objects.filter(pk=player.pk).update(name='Hero "H" <b>, Hanna')
    markup = page(client, f"/players/{player.pk}/")
    told = dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):\w+)" content="([^"]*)">', markup))
    name = "Hero &#34;H&#34; &lt;b&gt;, Hanna"
    title, description = told.pop("og:title"), told.pop("og:description")
    assert (title.startswith(f"{name}: "), f" {name}, Switzerland: " in description) == (True, True)
    assert told == {
        "og:type": "website",
        "og:site_name": "Rating Portal",
        "og:url": f"{HOST}/players/{player.pk}/",
        "og:image": f"{settings.SITE_URL}/static/img/share/player.png",
        "twitter:card": "summary_large_image",
    }
    assert f"<title>{title} · Rating Portal</title>" in markup
    feeds = re.findall(
        r'<link rel="alternate" type="application/atom\+xml"\s+title="[^"]*"\s+href="([^"]+)">', markup
    )
    assert feeds == ["/lists/feed.atom", f"/players/{player.pk}/feed.atom"]
