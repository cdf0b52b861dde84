"""The page of all arenas."""

from __future__ import annotations

import pytest
from django.test import Client

from arenas.models import Arena
from tests.public.pages import codes, page

pytestmark = pytest.mark.django_db


def test_portal_without_arenas_says_so(client: Client) -> None:
    assert "no-arenas" not in codes(page(client, "/arenas/"))
    Arena.objects.all().delete()
    assert codes(page(client, "/arenas/")) == ["no-arenas"]


@pytest.mark.slow
def test_arenas_show_who_leads_them(played: Arena, client: Client) -> None:
    leaders = {arena.slug: leading for arena, _category, leading in client.get("/arenas/").context["arenas"]}
    ratings = [row.shown for _number, row in leaders[played.slug]]

    assert 0 < len(ratings) <= 3
    assert ratings == sorted(ratings, reverse=True)
