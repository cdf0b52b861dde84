"""The page of the parts of pages: complete, and not there for readers."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from public.styleguide import styleguide
from tests.core.html.test_templates import a_request


@pytest.mark.django_db
def test_readers_have_no_such_page(client: Client) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("styleguide")
    assert client.get("/styleguide/").status_code == 404


def test_every_part_has_an_example() -> None:
    content = styleguide(a_request(path="/styleguide/")).content.decode()

    sections = re.findall(r'<section class="sheet" id="([a-z]+)">', content)
    assert sections == ["tokens", "tables", "notes", "forms", "navigation", "charts"]
    assert content.count("<figure") == 2
    assert content.count('class="errorlist"') == 1
    assert content.count('aria-sort="descending"') == 1
