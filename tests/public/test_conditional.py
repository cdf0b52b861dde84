"""Versions of public pages: 304 before any expensive work, and no caching of private pages."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from tests import make

pytestmark = pytest.mark.django_db
# A page knows from so many queries whether it is still the one that the reader has.
TO_COMPARE = 6


def addresses(month: make.Month) -> dict[str, str]:
    return {
        "list": "/lists/rapid/2026-02-01/",
        "lists": "/lists/",
        "changes": "/lists/rapid/2026-02-01/changes/",
        "file": "/lists/rapid/2026-02-01/files/rapid-2026-02-01.csv",
        "player": f"/players/{month.hero.pk}/",
        "calculation": f"/players/{month.hero.pk}/rapid/2026-02-01/",
        "tournament": f"/tournaments/{month.tournaments[0].event_id}/",
        "home": "/",
        "rules": "/rules/",
    }


def test_unchanged_pages_are_not_rendered_again(
    client: Client, month: make.Month, django_assert_max_num_queries: Any
) -> None:
    for name, address in addresses(month).items():
        first = client.get(address)
        assert first.headers["Cache-Control"] == "public, no-cache", name
        assert first.headers["Vary"] == ("Cookie" if name == "file" else "Cookie, Accept-Encoding"), name
        with django_assert_max_num_queries(TO_COMPARE):
            again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b""), name
        assert again.headers["ETag"] == first.headers["ETag"], name


@pytest.mark.parametrize("name", ["list", "lists"])
def test_page_of_a_publication_has_its_time_as_last_modified(
    client: Client, name: str, month: make.Month
) -> None:
    address = addresses(month)[name]
    moment = client.get(address).headers["Last-Modified"]
    assert moment == "Sun, 01 Feb 2026 12:00:00 GMT"
    assert client.get(address, headers={"if-modified-since": moment}).status_code == 304
    earlier = "Sun, 01 Feb 2026 11:59:59 GMT"
    assert client.get(address, headers={"if-modified-since": earlier}).status_code == 200


@pytest.mark.parametrize("name", ["list", "lists", "player", "calculation", "tournament", "home"])
def test_next_publication_changes_the_pages(client: Client, name: str, month: make.Month) -> None:
    address = addresses(month)[name]
    before = client.get(address).headers["ETag"]
    make.publish("rapid", date(2026, 3, 1))
    response = client.get(address, headers={"if-none-match": before})
    assert (response.status_code, response.headers["ETag"] == before) == (200, False)


def test_correction_of_a_player_changes_the_page(client: Client, month: make.Month) -> None:
    address = addresses(month)["player"]
    before = client.get(address).headers["ETag"]
    month.hero.name = "Heroine, Hanna"
    month.hero.save()
    assert client.get(address, headers={"if-none-match": before}).status_code == 200


def test_each_language_has_its_own_version(client: Client, month: make.Month) -> None:
    address = addresses(month)["list"]
    tags = {client.get(f"{prefix}{address}").headers["ETag"] for prefix in ("", "/fr")}
    assert len(tags) == 2


@pytest.mark.parametrize("name", ["list", "player", "calculation", "tournament", "home"])
def test_page_of_a_signed_in_user_is_not_cached(client: Client, name: str, month: make.Month) -> None:
    address = addresses(month)[name]
    etag = client.get(address).headers["ETag"]
    client.force_login(make.user())
    response = client.get(address, headers={"if-none-match": etag})
    assert (response.status_code, "ETag" in response.headers) == (200, False)
    assert response.headers["Cache-Control"] == "private, no-store"
    assert "Cookie" in response.headers["Vary"]


def test_missing_page_has_no_version(client: Client) -> None:
    response = client.get("/lists/rapid/2027-02-01/")
    assert (response.status_code, "ETag" in response.headers) == (404, False)


@pytest.mark.parametrize(
    "address",
    [
        "/arenas/",
        "/arenas/flyordie/",
        "/calculators/",
        "/federations/",
        "/players/?q=hero",
        "/search?q=hero",
        "/tournaments/",
    ],
)
def test_page_without_a_version_has_the_hash_of_its_bytes(
    client: Client, address: str, month: make.Month
) -> None:
    first = client.get(address)
    if first.status_code == 302:
        pytest.skip("the search leads straight to the one who is found")
    assert (first.headers["Cache-Control"], first.headers["Vary"]) == (
        "public, no-cache",
        "Cookie, Accept-Encoding",
    )
    again = client.get(address, headers={"if-none-match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    client.force_login(make.user())
    assert "private" in client.get(address).headers["Cache-Control"]
