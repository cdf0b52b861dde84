"""The rated tournaments of a player."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("number", ["0", "-1", "2", "x", "99999999999", "1e3", "²"])
def test_unknown_page_of_tournaments_is_a_404(client: Client, number: str) -> None:
    month = make.play_month()
    response = client.get(f"/players/{month.hero.pk}/tournaments/", {"page": number})
    assert response.status_code == 404
