"""The home page: the calendar of the next list."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.public.pages import page, text_of

pytestmark = pytest.mark.django_db


def test_next_list_closes_at_the_end_of_a_day_and_is_dated_at_the_start_of_one(client: Client) -> None:
    found = text_of(page(client, "/"))

    closing, listed = found.split("List date", 1)
    assert closing.rstrip().endswith("24:00 UTC")
    assert "00:00 UTC" in listed[:80]
    assert "24:00 UTC" not in listed[:80]
