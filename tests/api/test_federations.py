"""The federations."""

from __future__ import annotations

from datetime import UTC, datetime

from players.models import Federation
from ratings.publish.figures import fill_figures
from tests.api.conftest import Get, Month


def test_federations_are_ordered_by_code(db: None, get: Get) -> None:
    Federation.objects.filter(code="KEN").update(name="Kenya", officer_name="Otieno, Olive", is_member=False)

    rows = get("/federations")["results"]

    assert [row["code"] for row in rows] == sorted({row["code"] for row in rows})
    (kenya,) = [row for row in rows if row["code"] == "KEN"]
    assert (kenya["name"], kenya["officer_name"], kenya["member"]) == ("Kenya", "Otieno, Olive", False)


def test_history_of_a_federation_has_its_figures_and_players_on_each_list(month: Month, get: Get) -> None:
    fill_figures(at=datetime(2026, 2, 2, tzinfo=UTC))
    second, first = get("/federations/SUI/history")["results"]

    assert (second["list"], second["players"], second["played"], second["games"]) == (
        "rapid-2026-02-01",
        2,
        2,
        4,
    )
    assert (first["players"], first["mean_change"]) == (2, None)
    players = get(second["players_url"].partition("/api/v1")[2])["results"]
    assert {row["federation"] for row in players} == {"SUI"}
    assert len(players) == second["players"]
    assert get("/federations/SUI/history", {"kind": "blitz"})["results"] == []
    assert get("/federations/SUI/history", {"date_to": "2026-01-31", "limit": 1}) == {
        "next": None,
        "results": [first],
    }
    assert get("/federations/ZZZ/history", status=404)["detail"] == "No federation has the code ZZZ."


def test_code_with_a_null_is_no_federation(db: None, get: Get) -> None:
    get("/federations/%00/history", status=404)
