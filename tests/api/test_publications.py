"""The publications and what each of them changed."""

from __future__ import annotations

from datetime import UTC, datetime

from django.test import Client

from tests.api.conftest import ROOT, Get, Month


def test_publications_are_ordered_by_publication_time(month: Month, get: Get, client: Client) -> None:
    month.first.published_at = datetime(2026, 5, 1, tzinfo=UTC)
    month.first.save(update_fields=["published_at"])
    first = get("/publications", {"limit": 1})
    second = client.get(first["next"]).json()
    assert [row["id"] for page in (first, second) for row in page["results"]] == [
        "rapid-2026-01-01",
        "rapid-2026-02-01",
    ]
    assert second["next"] is None


def test_changes_are_paged(month: Month, get: Get, client: Client) -> None:
    seen, address = [], f"{ROOT}/publications/rapid-2026-01-01/changes?limit=3"
    while address:
        page = client.get(address).json()
        seen += [(row["fide_id"], row["rounded_change"]) for row in page["results"]]
        address = page["next"]
    assert seen == [(1001, 14), (1002, 3), (1003, -17), (1004, 0)]
    assert get("/publications/rapid-2026-02-01/changes")["results"] == []
