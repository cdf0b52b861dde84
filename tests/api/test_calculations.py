"""The calculation of a player on a list, game by game."""

from __future__ import annotations

from datetime import date

from django.test import Client

from ratings.next_list import update_next_list
from tests import make
from tests.api.conftest import ROOT, Get, Month


def test_calculation_adds_up(month: Month, get: Get) -> None:
    """1900 against 1800 twice: PD 0.64 each, 0.36 + 0.36 times K 20 (7.3.2)."""
    found = get("/players/1001/calculations/rapid/2026-02-01")
    (event,) = found["events"]
    figures = [event[name] for name in ("games", "score", "sum", "k", "k_reason", "change")]
    assert figures == [2, "2.0", "0.72", 20, "k20-7.3.3", "14.40"]
    assert [(row["pd"], row["change"], row["reasons"]) for row in event["rounds"]] == [
        ("0.64", "0.36", ["counted-7.3.2"]),
        ("0.64", "0.36", ["counted-7.3.2"]),
        (None, None, ["unrated-opponent-7.3.1"]),
    ]
    assert event["rounds"][2]["opponent"] == {
        "number": 4,
        "fide_id": 1004,
        "name": "Neu, Nora",
        "federation": "SUI",
    }
    totals = [found[name] for name in ("previous_rating", "change", "rounded_change", "new_rating", "result")]
    assert totals == [1900, "14.40", 14, 1914, "change-7.3.4"]


def test_next_list_so_far_is_marked_as_provisional(month: Month, get: Get, client: Client) -> None:
    on = date(2026, 2, 10)
    make.correct_report(month.tournament, None, reason="Played twice.", on=on)
    assert client.get(f"{ROOT}/players/1001/calculations/rapid/next").status_code == 404
    update_next_list("rapid", at=make.noon(on))
    found = get("/players/1001/calculations/rapid/next")
    figures = [found[name] for name in ("provisional", "list", "correction", "new_rating", "result")]
    assert figures == [True, "rapid-2026-03-01", "-14.40", 1900, "correction-D-11"]
    assert not get("/players/1001/calculations/rapid/2026-02-01")["provisional"]
    response = client.get(f"{ROOT}/players/1001")
    assert response["Cache-Control"] == "public, max-age=60"
    assert response.json()["next_lists"] == [
        {
            "kind": "rapid",
            "date": "2026-03-01",
            "provisional": True,
            "rating": 1900,
            "change": "-14.40",
            "games": 0,
            "tournaments": 0,
        }
    ]
