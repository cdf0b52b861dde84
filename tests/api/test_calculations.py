"""What a list did with a player, game by game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.conftest import Month

Get = Callable[..., Any]


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
