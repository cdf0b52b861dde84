"""The tables of public pages: each with heads, and with a caption that no other table of the page has."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests import make
from tests.public.pages import page, text_of

pytestmark = pytest.mark.django_db
CAPTION = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
TABLE = re.compile(r"<table.*?</table>", re.DOTALL)


def test_tables_of_a_page_have_heads_and_captions_of_their_own(client: Client, month: make.Month) -> None:
    for address in (
        "/",
        "/lists/rapid/2026-02-01/changes/",
        "/lists/rapid/next/",
        "/players/",
        f"/players/{month.hero.pk}/",
        f"/players/{month.hero.pk}/record/",
        f"/players/compare/?player={month.hero.pk}&player={month.others[0].pk}",
        f"/tournaments/{month.tournaments[0].event_id}/",
    ):
        markup = page(client, address)
        captions = [text_of(caption) for caption in CAPTION.findall(markup)]
        assert len(captions) == len(set(captions)) == len(TABLE.findall(markup)), address
        assert all("<thead" in table for table in TABLE.findall(markup)), address
