"""The image of a player."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.ratings.played import Month


@pytest.mark.django_db
def test_unchanged_image_is_a_304_without_drawing(
    client: Client, django_assert_max_num_queries: Any, month: Month
) -> None:
    address = f"/players/{month.hero.pk}/card.png"
    etag = client.get(address).headers["ETag"]
    with django_assert_max_num_queries(2):
        assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
