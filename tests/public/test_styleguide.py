"""The page of the parts of pages: complete, and not there for readers."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse

from public.styleguide import PRIMITIVES, styleguide
from tests.core.html.test_templates import a_request


@pytest.mark.django_db
def test_readers_have_no_such_page(client: Client) -> None:
    with pytest.raises(NoReverseMatch):
        reverse("styleguide")
    assert client.get("/styleguide/").status_code == 404


def test_every_part_has_an_example() -> None:
    content = styleguide(a_request(path="/styleguide/")).content.decode()

    sections = re.findall(r'<section class="sheet[a-z ]*" id="([a-z]+)">', content)
    assert sections == ["tokens", "primitives", "tables", "inset", "notes", "forms", "navigation", "charts"]
    assert content.count("<figure") == 2
    assert content.count('class="errorlist"') == 1
    assert content.count('aria-sort="descending"') == 1
    assert content.count('class="rail ') == content.count('class="pagination ') == 1


def test_primitives_that_are_shown_exist() -> None:
    sheet = (settings.BASE_DIR / "static" / "css" / "layout.css").read_text(encoding="utf-8")

    assert set(PRIMITIVES) <= set(re.findall(r"^\.([a-z0-9-]+) \{$", sheet, re.MULTILINE))
