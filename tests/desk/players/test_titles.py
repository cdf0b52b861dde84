"""The page on which FIDE staff enter titles."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils import timezone

from players.models import TitleGrant
from tests import make

NOW = datetime(2026, 1, 10, 9, 30, tzinfo=UTC)


PAGE = "/desk/players/titles"


pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> Any:
    return make.person("staff")


def test_staff_enter_a_title_on_its_page(staff: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    player = make.player()
    client = make.browser(staff)
    data = {"player": player.pk, "title": "FM", "granted_on": "2026-01-15", "reference": "Council 4"}

    wrong = client.post(PAGE, {**data, "title": "XM", "player": "9" * 30})
    done = [client.post(PAGE, data) for _ in range(2)]

    assert sorted(wrong.context["form"].errors) == ["player", "title"]
    assert [answer.status_code for answer in done] == [302, 200]
    made = TitleGrant.objects.get()
    assert (made.player, made.title, made.by, made.at) == (player, "FM", staff, NOW)
    assert "Council 4" in client.get(PAGE).content.decode()
