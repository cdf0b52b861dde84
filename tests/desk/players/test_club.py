"""The number and the club of one player, entered by an officer of the federation."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from players.models import LogEntry, Membership
from tests import make
from tests.codes import codes_of_answer

PAGE = "/desk/players/club"
NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def test_number_and_club_of_one_player_are_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    officer, swiss = make.browser("officer SUI"), make.federation(code="SUI")
    player, other = make.player(federation=swiss), make.player(federation=swiss)
    Membership.objects.create(
        player=player, federation=swiss, number="A1", club="SC Alpha", since=date(2026, 1, 1)
    )
    values = {"player": player.pk, "number": "a7", "club": "SC Beta", "district": "North"}

    initial = officer.get(f"{PAGE}?player={player.pk}").context["form"].initial
    nobody = officer.get(f"{PAGE}?player=")
    foreign = make.browser("officer AUT").get(f"{PAGE}?player={player.pk}")
    officer.post(PAGE, values)
    refused = [
        codes_of_answer(officer.post(PAGE, {**values, "player": other.pk})),
        codes_of_answer(officer.post(PAGE, {**values, "number": "<1>"})),
        codes_of_answer(make.browser("officer AUT").post(PAGE, values)),
    ]

    assert codes_of_answer(nobody, "choice") == {"player": ["required"]}
    shown = codes_of_answer(foreign, "choice")
    assert (foreign.context["chosen"], shown) == (None, {"player": ["not-your-federation"]})
    assert initial == {"player": player.pk, "number": "A1", "club": "SC Alpha", "district": ""}
    assert refused == [
        {"number": ["number-taken"]},
        {"number": ["number"]},
        {"player": ["not-your-federation"]},
    ]
    assert [*Membership.objects.order_by("since").values_list("number", "club", "district", "until")] == [
        ("A1", "SC Alpha", "", NOW.date()),
        ("A7", "SC Beta", "North", None),
    ]
    acts = LogEntry.objects.filter(player=player).order_by("pk").values_list("action", flat=True)
    assert [*acts][-2:] == ["edited", "added"]
