"""The reason keys."""

from __future__ import annotations

from tests.api.conftest import Get, Month


def test_reasons_include_those_of_the_calculation(month: Month, get: Get) -> None:
    known = {row["key"] for row in get("/reasons")["results"]}
    found = get("/players/1004/calculations/rapid/2026-02-01")
    used = {key for event in found["events"] for row in event["rounds"] for key in row["reasons"]}
    assert used | {found["result"]} <= known
    assert {row["about"] for row in get("/reasons", {"about": "k"})["results"]} == {"k"}
