"""The monthly lists of an arena."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.public.pages import codes, page

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_empty_arena_explains_what_will_appear(db: None, client: Client) -> None:
    assert codes(page(client, "/arenas/chess-online/")) == ["no-ratings"]
    assert codes(page(client, "/arenas/chess-online/lists/")) == ["no-lists"]
