"""The results of `make bench`: storage and table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import results
from benchmarks.steps import Measured


def step(name: str, seconds: float) -> Measured:
    return Measured(name, seconds, seconds, 1 << 20)


def test_run_is_stored_and_shown_as_ratios_to_its_floors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(results, "FOLDER", tmp_path / "bench")
    month = [
        step(results.SUBMITTED, 40),
        step(results.PUBLISHED, 20),
        step(results.RATED, 16),
        step(results.COPIED, 4),
    ]

    path = results.keep("2 cores", {"postgresql, 1 of the month": month}, reading={"read": 0.03})

    kept = json.loads(path.read_text())
    assert (kept["machine"], kept["reading_seconds"]) == ("2 cores", {"read": 0.03})
    assert dict(results.ratios(kept["parts"]["postgresql, 1 of the month"])) == {
        "the month / read, rated, copied": 3.0,
        "reports / read and rated": 2.5,
        "publishing / rows copied": 5.0,
    }
    told = list(results.rows(tmp_path / "bench"))
    assert told[2].endswith("| postgresql, 1 of the month | 3.00 | 2.50 | 5.00 | – | – |")
