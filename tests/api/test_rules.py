"""The rating regulations by date."""

from __future__ import annotations

from tests.api.conftest import Get


def test_regulations_have_effective_dates(db: None, get: Get) -> None:
    assert [
        (row["slug"], row["first_day"], row["last_day"], row["floor"]) for row in get("/rules")["results"]
    ] == [
        ("fide-rapid-blitz-2022", "2022-01-01", "2023-12-31", 1000),
        ("fide-rapid-blitz-2024", "2024-01-01", None, 1400),
    ]
