"""Conditional requests, rate limits and other origins."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client, override_settings

from players.models import Player
from tests import make
from tests.api.conftest import ROOT, Month

PUBLISHED = (
    "/lists/rapid/2026-02-01",
    "/lists/rapid/latest",
    "/lists/rapid/2026-02-01/entries",
    "/lists/rapid/2026-02-01/entries.csv",
    "/players/1001/history",
    "/players/1001/calculations/rapid/2026-02-01",
    "/tournaments/SUI-OPEN/participants",
    "/publications/rapid-2026-01-01/changes",
)


@pytest.mark.parametrize("address", PUBLISHED)
def test_known_version_is_a_304_in_two_queries(
    month: Month, client: Client, django_assert_max_num_queries: Callable[..., Any], address: str
) -> None:
    first = client.get(f"{ROOT}{address}")
    assert first["Last-Modified"] == "Sun, 01 Feb 2026 12:00:00 GMT"
    assert first["Cache-Control"] == "public, max-age=60"
    with django_assert_max_num_queries(2):
        by_tag = client.get(f"{ROOT}{address}", headers={"if-none-match": first["ETag"]})
    assert (by_tag.status_code, by_tag.content, by_tag["ETag"]) == (304, b"", first["ETag"])
    by_day = client.get(f"{ROOT}{address}", headers={"if-modified-since": first["Last-Modified"]})
    assert by_day.status_code == 304


COLLECTIONS = (
    "/lists",
    "/publications",
    "/players?ids=1001,1002",
    "/players?q=ada",
    "/tournaments",
)


@pytest.mark.parametrize("address", COLLECTIONS)
def test_page_of_rows_may_be_cached_and_is_a_304(month: Month, client: Client, address: str) -> None:
    first = client.get(f"{ROOT}{address}")
    again = client.get(f"{ROOT}{address}", headers={"if-none-match": first["ETag"]})
    assert (first.status_code, first["Cache-Control"]) == (200, "public, max-age=60")
    assert (again.status_code, again.content) == (304, b"")


def test_another_page_or_format_has_another_etag(month: Month, client: Client) -> None:
    queries = ("", "?limit=1", "?limit=2", ".csv", ".ndjson", "?sex=F")
    tags = {client.get(f"{ROOT}/lists/rapid/latest/entries{query}")["ETag"] for query in queries}
    assert len(tags) == len(queries)


def test_publication_changes_etags(month: Month, client: Client) -> None:
    addresses = ("/lists/rapid/latest", "/players/1001", "/players/1001/history", "/")
    before = {address: client.get(f"{ROOT}{address}")["ETag"] for address in addresses}
    dated = client.get(f"{ROOT}/lists/rapid/2026-02-01/entries")["ETag"]
    make.publish("rapid", date(2026, 3, 1))
    after = {address: client.get(f"{ROOT}{address}")["ETag"] for address in addresses}
    assert [address for address in addresses if before[address] == after[address]] == []
    assert client.get(f"{ROOT}/lists/rapid/2026-02-01/entries")["ETag"] == dated


def test_new_name_changes_the_etag_of_a_player(month: Month, client: Client) -> None:
    before = client.get(f"{ROOT}/players/1001")["ETag"]
    Player.objects.filter(pk=1001).update(name="Müller, Joseph")
    response = client.get(f"{ROOT}/players/1001", headers={"if-none-match": before})
    assert (response.status_code, response.json()["name"]) == (200, "Müller, Joseph")


def test_failed_precondition_is_a_problem(month: Month, client: Client) -> None:
    response = client.get(f"{ROOT}/players/1001", headers={"if-match": '"other"'})
    assert (response.status_code, response["Content-Type"]) == (412, "application/problem+json")


def test_rate_limit_is_enforced(db: None, client: Client) -> None:
    rates = {**django_settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"read": "2/day", "check": "1/day"}}
    with override_settings(REST_FRAMEWORK=rates):
        answers = [client.get(f"{ROOT}/rules") for _ in range(3)]
        other = client.post(f"{ROOT}/reports/check", b"012 Open\r\n", content_type="text/plain")
        from_elsewhere = client.get(f"{ROOT}/rules", REMOTE_ADDR="192.0.2.7")
        # A header that the client sends does not start a new rate limit.
        disguised = client.get(f"{ROOT}/rules", headers={"x-forwarded-for": "192.0.2.9"})
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert [answer["RateLimit-Remaining"] for answer in answers] == ["1", "0", "0"]
    assert {(answer["RateLimit-Limit"], answer["RateLimit-Policy"]) for answer in answers} == {
        ("2", "2;w=86400")
    }
    assert answers[2]["Retry-After"] == answers[2]["RateLimit-Reset"]
    assert answers[2]["Content-Type"] == "application/problem+json"
    assert (other.status_code, from_elsewhere.status_code, disguised.status_code) == (200, 200, 429)


def test_pages_and_whole_lists_are_counted_apart(month: Month, client: Client) -> None:
    address = f"{ROOT}/lists/rapid/latest/entries"
    assert client.get(address)["RateLimit-Limit"] == "600"
    assert client.get(f"{address}.csv")["RateLimit-Limit"] == "30"


@pytest.mark.parametrize("address", ["/rules", "/nowhere", "/lists?limit=0"])
def test_any_origin_may_read(db: None, client: Client, address: str) -> None:
    response = client.get(f"{ROOT}{address}", headers={"origin": "https://club.example"})
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response


def test_other_origins_may_ask_conditionally_but_not_send(db: None, client: Client) -> None:
    asked = client.options(f"{ROOT}/rules", headers={"origin": "https://club.example"})
    assert (asked.status_code, asked["Access-Control-Allow-Methods"]) == (204, "GET, HEAD, OPTIONS")
    allowed = asked["Access-Control-Allow-Headers"].split(", ")
    assert allowed == ["Accept", "If-None-Match", "If-Modified-Since"]
    sent = client.post(f"{ROOT}/reports/check", b"012 Open\r\n", content_type="text/plain")
    assert "Access-Control-Allow-Origin" not in sent


def test_formats_of_one_address_are_not_kept_by_the_proxy(db: None, client: Client) -> None:
    for accepted in ("application/json", "application/yaml"):
        response = client.get(f"{ROOT}/schema", headers={"accept": accepted})
        assert ("Accept" in response["Vary"], response["Cache-Control"]) == (True, "private, no-store")


def test_answers_are_english_and_set_no_cookie(db: None, client: Client) -> None:
    response, english = (
        client.get(f"{ROOT}/lists?limit=0", headers={"accept-language": language})
        for language in ("fr", "en")
    )
    assert response.json() == english.json()
    assert (dict(response.cookies), "Cookie" in response.get("Vary", "")) == ({}, False)
