"""What lists took of corrections before the ledger is kept as the ledger keeps it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from ratings.ledger.facts import before_from, before_row

MIGRATION = import_module("ratings.migrations.0029_calculate_corrections_when_they_are_taken")
POOL = [["1", "2026-01-10", "2026-01-10", 7200, 4, 6, False, 3, 5]]
POSITION = {
    "rating": None,
    "completed": 5,
    "reached_2300": False,
    "reached_2400": False,
    "last_played": "2026-02-01",
    "pool": [],
}
ENTRY = {
    "status": "listed",
    "rating": 1902,
    "games": 0,
    "k_factor": 40,
    "is_inactive": False,
    "completed_games": 7,
    "reached_2300": False,
    "reached_2400": False,
    "last_played": "2026-03-01",
}
LEFT = ["listed", 1902, 0, 40, False, 5, False, False, "2026-02-01"]
# The position, the entry of the list before, whether that was imported: the entry, difference, first rating, lost.
TAKEN = [
    (POSITION | {"rating": 189950}, ENTRY, False, (LEFT, -250, None, False)),
    (POSITION | {"rating": 189950}, None, False, (["unrated", None, 0, None, *LEFT[4:]], 50, 1899, False)),
    (POSITION, ENTRY, False, (LEFT, 0, None, True)),
    (POSITION, None, False, (None, 0, None, False)),
    (POSITION | {"rating": 189950}, ENTRY, True, ([*ENTRY.values()], 0, None, False)),
]


@pytest.mark.parametrize(("position", "entry", "is_imported", "wanted"), TAKEN)
def test_position_of_a_taken_correction_is_kept_as_the_state_before(
    position: dict[str, Any], entry: dict[str, Any] | None, is_imported: bool, wanted: tuple[Any, ...]
) -> None:
    kept = MIGRATION.before_row(1100, position | {"pool": POOL}, entry, is_imported=is_imported)
    assert (kept["entry"], kept["difference"], kept["first"], kept["lost"]) == wanted
    assert before_row(1100, before_from(kept)) == kept
