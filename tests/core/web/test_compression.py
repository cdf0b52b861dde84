"""Answers are compressed for whoever accepts it, each decodes to the page itself, and no size tells a secret."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import brotli
import pytest
from django.core.cache import caches
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from core.web.compression import accepted_encoding, compress
from tests import make

DECODERS = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
BROWSER = {"accept-encoding": "gzip, deflate, br, zstd"}


@pytest.fixture
def kept(settings: Any) -> Iterator[None]:
    settings.KEPT_PAGES_SECONDS = 60
    pages = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    settings.CACHES = {**settings.CACHES, "pages": pages}
    caches["pages"].clear()
    yield
    caches["pages"].clear()


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ("", ""),
        ("gzip, deflate, br", "br"),
        ("gzip;q=1.0, br;q=0", "gzip"),
        ("br; q=0.5", "br"),
        ("GZIP", "gzip"),
        ("gzip;q=0.0", ""),
        ("brotli, xgzip, gzipped", ""),
    ],
)
def test_encoding_is_one_that_the_reader_accepts(offered: str, chosen: str) -> None:
    assert accepted_encoding(RequestFactory().get("/", headers={"accept-encoding": offered})) == chosen


@pytest.mark.django_db(transaction=True)
def test_kept_page_in_each_encoding_is_the_same_page(client: Client, kept: None) -> None:
    address = f"/players/{make.play_month().hero.pk}/"
    made = client.get(address)
    answers = {name: Client().get(address, headers={"accept-encoding": name}) for name in DECODERS}

    for name, answer in answers.items():
        assert DECODERS[name](answer.content) == made.content
        assert answer.get("Content-Encoding", "") == name
        assert answer["Vary"] == made["Vary"] == "Cookie, Accept-Encoding"
        assert answer["ETag"] == (f"W/{made['ETag']}" if name else made["ETag"])
        known = Client().get(address, headers={"accept-encoding": name, "if-none-match": answer["ETag"]})
        assert (known.status_code, known["ETag"], known["Vary"]) == (304, answer["ETag"], answer["Vary"])
    assert len(answers["br"].content) < len(answers["gzip"].content) < len(made.content) / 2


@pytest.mark.django_db
def test_pages_of_somebody_known_json_and_streams_are_gzipped(client: Client) -> None:
    make.play_month()
    client.force_login(make.user(is_superuser=True, is_staff=True))
    addresses = (
        "/accounts/email/",
        "/api/v1/lists",
        "/lists/rapid/2026-02-01/",
        "/api/v1/lists/rapid/2026-02-01/entries.csv",
        "/api/v1/lists/rapid/2026-02-01/entries.ndjson",
    )
    for address in addresses:
        answer: Any = client.get(address, headers=BROWSER)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        assert (address, answer.status_code, answer["Content-Encoding"]) == (address, 200, "gzip")
        assert len(gzip.decompress(content)) > 100


def test_size_of_an_answer_varies_by_chance() -> None:
    page = compress(lambda request: HttpResponse("secret " * 200))
    sizes = {len(page(RequestFactory().get("/", headers=BROWSER)).content) for _ in range(40)}
    assert len(sizes) > 5


def test_gzip_that_is_refused_is_not_sent() -> None:
    page = compress(lambda request: HttpResponse("text " * 200))
    answer = page(RequestFactory().get("/", headers={"accept-encoding": "gzip;q=0, identity"}))
    assert (answer.content, answer["Vary"]) == (b"text " * 200, "Accept-Encoding")


@pytest.mark.parametrize(
    "response",
    [
        HttpResponse(b"x" * 500, content_type="application/zip"),
        HttpResponse(b"x" * 500, status=206, content_type="text/plain"),
        StreamingHttpResponse([b"x" * 500], content_type="text/plain", headers={"Content-Length": "500"}),
    ],
)
def test_file_or_part_is_sent_as_it_is(response: HttpResponse) -> None:
    answer = compress(lambda request: response)(RequestFactory().get("/", headers=BROWSER))
    assert "Content-Encoding" not in answer.headers
