"""Articles and decisions stand on public pages for those who ask for them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make
from tests.public.pages import articles, page

pytestmark = pytest.mark.django_db


def test_articles_are_links_behind_a_link(client: Client, month: make.Month) -> None:
    for address in (
        f"/tournaments/{month.tournaments[0].event_id}/report/",
        f"/tournaments/{month.tournaments[0].event_id}/rounds/2/",
        "/calculators/?rating=1900&opponent=1800&score=1",
        f"/players/{month.newcomer.pk}/",
    ):
        join = "&" if "?" in address else "?"
        asked = f"{address}{join}articles=1"
        markup = page(client, address)
        assert articles(markup) == set(), address
        assert f"{join}articles=1".replace("&", "&amp;") in markup, address
        assert articles(page(client, asked)) != set(), address
