"""The language of a page stands in its address: four languages, English without a prefix."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

pytestmark = pytest.mark.django_db
LANGUAGES = ["en", "fr", "es", "de"]


@pytest.mark.parametrize(("prefix", "language"), [("", "en"), ("/fr", "fr"), ("/es", "es"), ("/de", "de")])
@pytest.mark.parametrize("wanted", ["de", "fr;q=0.9"])
def test_address_alone_decides_the_language(client: Client, prefix: str, language: str, wanted: str) -> None:
    response = client.get(f"{prefix}/lists/", headers={"accept-language": wanted})
    assert (response.status_code, response["Content-Language"]) == (200, language)
    assert f'<html lang="{language}">' in response.content.decode()
    assert "Accept-Language" not in response.get("Vary", "")


def test_page_names_itself_in_every_language(client: Client) -> None:
    page = client.get("/fr/search?q=nova").content.decode()
    alternates = re.findall(r'<link rel="alternate" hreflang="(\w+)" href="([^"]+)">', page)
    prefixes = ["", "/fr", "/es", "/de"]
    assert alternates == [
        (code, f"{settings.SITE_URL}{prefix}/search?q=nova")
        for code, prefix in zip(LANGUAGES, prefixes, strict=True)
    ]


def test_links_stay_in_the_language(client: Client) -> None:
    page = client.get("/de/").content.decode()
    with override("de"):
        assert f'href="{reverse("ratings:lists")}"' in page
    assert 'href="/lists/"' not in re.sub(r"<link[^>]+>|<a [^>]*hreflang[^>]+>", "", page)


def test_unknown_language_is_no_page(client: Client) -> None:
    assert client.get("/it/lists/").status_code == 404


@pytest.mark.parametrize("path", ["/api/v1/", "/health/live"])
def test_programs_have_one_address(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200
    assert client.get(f"/fr{path}").status_code == 404
