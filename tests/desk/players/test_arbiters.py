"""Licences of arbiters, entered by FIDE staff."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.arbiters import arbiter_of
from players.models import LogEntry, Player
from tests import make

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)


pytestmark = pytest.mark.django_db


def arbiter(fide_id: int, titles: str = "FA", **values: Any) -> Player:
    return make.player(fide_id=fide_id, other_titles=titles, **values)


def test_staff_enter_a_licence_once_with_an_entry_of_the_audit_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    player, staff = arbiter(1_300_001, ""), Client()
    staff.force_login(make.person("staff"))
    typed = {"player": "1300001", "title": "NA", "category": "C", "licensed_until": "2027-12-31"}

    answers = [staff.post("/desk/players/arbiters", typed).status_code for _click in range(2)]

    player.refresh_from_db()
    made = arbiter_of(player)
    assert (answers, made.title, made.category, made.licensed_until) == (
        [302, 302],
        "NA",
        "C",
        date(2027, 12, 31),
    )
    assert [*LogEntry.objects.filter(action="licence").values_list("after", flat=True)] == ["NA C 2027-12-31"]
