"""Arbiters: found by name or federation, with title and licence, and their tournaments."""

from __future__ import annotations

from datetime import date

import pytest

from players import names
from players.models import ArbiterLicence
from tests import make
from tests.api.conftest import NOW, Get
from tournaments.models import TournamentArbiter

pytestmark = pytest.mark.django_db


def test_arbiters_are_found_with_title_licence_and_tournaments(get: Get) -> None:
    ada = make.player(fide_id=1_300_001, name="Alder, Ada", other_titles="FA", federation__code="SUI")
    make.player(fide_id=1_300_002, name="Alder, Bob", federation__code="SUI")
    ArbiterLicence.objects.create(player=ada, category="B", licensed_until=date(2028, 1, 1), entered_at=NOW)
    directed = make.tournament(event_id="SUI-1")
    make.tournament(event_id="SUI-2")
    TournamentArbiter.objects.create(tournament=directed, player=ada, is_chief=True)

    one = get("/arbiters/1300001")
    assert {name: one[name] for name in ("name", "federation", "title", "category", "licensed_until")} == {
        "name": "Alder, Ada",
        "federation": "SUI",
        "title": "FA",
        "category": "B",
        "licensed_until": "2028-01-01",
    }
    queries: list[dict[str, str]] = [{"q": "alder"}, {"federation": "SUI"}, {"q": "1300001"}]
    assert [get("/arbiters", query)["results"] for query in queries] == [[one]] * 3
    assert get("/arbiters", {"federation": "AUT"})["results"] == []
    tournaments = get(one["tournaments_url"].partition("/api/v1")[2])["results"]
    assert [row["event_id"] for row in tournaments] == ["SUI-1"]


def test_other_players_are_no_arbiters(get: Get) -> None:
    bob = make.player(fide_id=1_300_002)
    assert get("/arbiters/1300002", status=404)["detail"] == "No arbiter has FIDE ID 1300002."
    TournamentArbiter.objects.create(tournament=make.tournament(), player=bob)
    assert get("/arbiters/1300002")["title"] == ""
    assert get("/arbiters", status=400)["errors"] == [{"name": "q", "detail": "Send `q` or `federation`."}]


def test_name_of_too_many_players_is_refused_and_not_cut(get: Get, monkeypatch: pytest.MonkeyPatch) -> None:
    make.PlayerFactory.create_batch(3, name="Ivanov, Ivan")
    monkeypatch.setattr(names, "MAX_FOUND", 2)
    assert [one["name"] for one in get("/arbiters", {"q": "ivanov"}, status=400)["errors"]] == ["q"]
