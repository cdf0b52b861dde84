"""Reasons and regulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.api.conftest import Month

Get = Callable[..., Any]


def test_reasons_include_those_of_the_calculation(month: Month, get: Get) -> None:
    known = {row["key"] for row in get("/reasons")["results"]}
    found = get("/players/1004/calculations/rapid/2026-02-01")
    used = {key for event in found["events"] for row in event["rounds"] for key in row["reasons"]}
    assert used | {found["result"]} <= known
    assert {row["about"] for row in get("/reasons", {"about": "k"})["results"]} == {"k"}


def test_regulations_have_effective_dates(db: None, get: Get) -> None:
    assert [
        (row["slug"], row["first_day"], row["last_day"], row["floor"]) for row in get("/rules")["results"]
    ] == [
        ("fide-rapid-blitz-2022", "2022-01-01", "2023-12-31", 1000),
        ("fide-rapid-blitz-2024", "2024-01-01", None, 1400),
    ]
