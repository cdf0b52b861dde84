"""Rating health of lists."""

from __future__ import annotations

from tests.api.conftest import Get, Month


def test_rows_of_all_lists_are_the_summaries_of_each(month: Month, get: Get) -> None:
    rows = get("/lists/health")["results"]

    assert [(row["kind"], row["date"]) for row in rows] == [("rapid", "2026-02-01")]
    assert get("/lists/rapid/2026-02-01/health")["summary"] == rows[0]
