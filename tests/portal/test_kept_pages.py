"""Public pages are kept for a minute: never across a publication, never somebody's page for somebody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from players.models import Player
from portal.middleware.kept_pages import FOR_PROXIES, MAX_ADDRESS
from portal.settings.backends import cache_settings
from ratings.lists import pages_number
from ratings.models import RatingList
from tests import make
from tests.conftest import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
OTHER_NAME = "Heroine, Hanna"


@pytest.fixture(autouse=True)
def kept(settings: Any) -> Iterator[None]:
    settings.KEPT_PAGES_SECONDS = 60
    pages = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {**settings.CACHES, "pages": pages}
    caches["pages"].clear()
    yield
    caches["pages"].clear()


def rename(player: Player) -> None:
    """Change what pages show without a publication, an import or a correction."""
    Player.objects.filter(pk=player.pk).update(name=OTHER_NAME)


def test_next_reader_is_answered_by_one_query(
    client: Client, month: make.Month, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for address in (
        f"/players/{month.hero.pk}/",
        f"/api/v1/players/{month.hero.pk}",
        "/lists/rapid/2031-01-01/",
    ):
        first = client.get(address)
        with django_assert_num_queries(1):
            again = Client().get(address)
        assert (again.status_code, again.content) == (first.status_code, first.content)
        changing = {"X-Request-ID", "Content-Length"}
        assert {name: again[name] for name in again.headers if name not in changing} == {
            name: first[name] for name in first.headers if name not in changing
        }


def import_list(month: make.Month) -> None:
    make.rating_list(kind="standard", date=date(2026, 3, 1))


def correct(month: make.Month) -> None:
    staff = make.person("staff")
    make.correct_player(month.hero, {"name": OTHER_NAME}, reason="Passport.", by=staff, at=NOW)


CHANGES: dict[str, Callable[[make.Month], object]] = {
    "publication": lambda _: make.publish("rapid", date(2026, 3, 1)),
    "import": import_list,
    "correction": correct,
    "taken back": lambda _: RatingList.objects.filter(kind="blitz").delete(),
}


@pytest.mark.parametrize("name", CHANGES)
def test_pages_are_new_at_once_after(name: str, client: Client, month: make.Month) -> None:
    make.rating_list(kind="blitz", date=date(2025, 1, 1))
    before, addresses = pages_number(), ("/lists/", f"/players/{month.hero.pk}/")
    for address in addresses:
        client.get(address)
    CHANGES[name](month)
    rename(month.hero)

    assert pages_number() != before
    assert OTHER_NAME in client.get(addresses[1]).content.decode()


def test_latest_list_is_never_the_former_one(client: Client, month: make.Month) -> None:
    addresses = ("/lists/rapid/", "/lists/rapid/latest/rapid.txt", "/lists/rapid/2026-03-01/")
    before = [client.get(address) for address in addresses]
    make.publish("rapid", date(2026, 3, 1))
    after = [client.get(address) for address in addresses]

    assert [(one.status_code, "2026-02-01" in one.get("Location", "")) for one in before] == [
        (302, True),
        (302, True),
        (404, False),
    ]
    assert [(one.status_code, "2026-03-01" in one.get("Location", "")) for one in after] == [
        (302, True),
        (302, True),
        (200, False),
    ]


def test_other_changes_show_once_the_page_has_ended(client: Client, month: make.Month) -> None:
    address = f"/players/{month.hero.pk}/"
    client.get(address)
    rename(month.hero)
    assert OTHER_NAME not in client.get(address).content.decode()
    caches["pages"].clear()
    assert OTHER_NAME in client.get(address).content.decode()


def test_each_address_language_and_host_has_its_own_page(
    client: Client, month: make.Month, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["testserver", "other.example"]
    addresses = ("/", "/fr/", "/lists/rapid/2026-02-01/", "/lists/rapid/2026-02-01/?federation=SUI")
    pages = [client.get(address).content for address in addresses]
    other = client.get("/api/v1/lists/rapid/latest", headers={"host": "other.example"}).content

    assert len(set(pages)) == len(addresses)
    assert [client.get(address).content for address in addresses] == pages
    assert client.get("/api/v1/lists/rapid/latest").content != other
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


def test_nobody_known_gets_or_leaves_a_kept_page(month: make.Month) -> None:
    known = make.browser(make.user())
    for address in ("/", "/lists/rapid/2031-01-01/"):
        for _ in range(2):
            own = known.get(address)
            assert (b"/accounts/logout/" in own.content, "no-store" in own["Cache-Control"]) == (True, True)
            assert b"/accounts/logout/" not in Client().get(address).content


SPECIAL = [{"authorization": "Token x"}, {"hx-request": "true"}, {"range": "bytes=0-9"}, {"if-match": '"x"'}]


@pytest.mark.parametrize("headers", SPECIAL)
def test_special_requests_pass_by_what_is_kept(
    client: Client, month: make.Month, headers: dict[str, str]
) -> None:
    address = f"/api/v1/players/{month.hero.pk}"
    client.get(address)
    rename(month.hero)
    answer = client.get(address, headers=headers)
    assert answer.status_code in (401, 412) or answer.json()["name"] == OTHER_NAME


@pytest.mark.parametrize(
    "address", ["/check/", "/nothing/here/", "/desk/", "/invitations/x/", f"/lists/?x={'a' * MAX_ADDRESS}"]
)
def test_forms_secrets_and_overlong_addresses_are_not_kept(client: Client, address: str) -> None:
    for _ in range(2):
        assert client.get(address).get("Cache-Control") != FOR_PROXIES
    assert not caches["pages"]._cache  # type: ignore[attr-defined]


def test_reader_who_has_the_kept_page_gets_304(client: Client, month: make.Month) -> None:
    for address, name, validator in (
        ("/", "if-none-match", "ETag"),
        ("/api/v1/lists/rapid/2026-02-01", "if-modified-since", "Last-Modified"),
    ):
        first = client.get(address)
        again = client.get(address, headers={name: first[validator]})
        assert (again.status_code, again.content, again[validator]) == (304, b"", first[validator])
        assert again["Cache-Control"] == first["Cache-Control"]


def test_head_is_answered_from_what_is_kept_and_leaves_nothing(client: Client, month: make.Month) -> None:
    client.head("/lists/")
    assert not caches["pages"]._cache  # type: ignore[attr-defined]
    page = client.get("/lists/")
    head = client.head("/lists/")
    assert (head.content, head.status_code, head["ETag"]) == (b"", 200, page["ETag"])


def test_proxies_keep_pages_for_half_a_minute_without_the_limits_of_a_caller(
    client: Client, month: make.Month
) -> None:
    address = f"/api/v1/players/{month.hero.pk}"
    assert client.get("/")["Cache-Control"] == client.get("/")["Cache-Control"] == FOR_PROXIES
    assert "RateLimit-Remaining" not in client.get(address)
    assert "RateLimit-Remaining" in client.get(f"{address}?wrong=1")


def test_cache_that_is_away_keeps_nothing(client: Client, month: make.Month, settings: Any) -> None:
    settings.CACHES = {**settings.CACHES, "pages": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}
    address = f"/players/{month.hero.pk}/"
    client.get(address)
    rename(month.hero)
    assert OTHER_NAME in client.get(address).content.decode()


@pytest.mark.parametrize("redis_url", [None, "redis://127.0.0.1:6379/0"])
def test_pages_have_a_cache_of_their_own(redis_url: str | None, tmp_path: Path) -> None:
    caches = cache_settings(redis_url, var_dir=tmp_path)
    places = [(caches[name]["LOCATION"], caches[name].get("KEY_PREFIX")) for name in ("default", "pages")]
    assert places[0] != places[1]
