"""The index of the API."""

from __future__ import annotations

from django.test import Client

from tests.api.conftest import Get, Month

# What answers only with parameters, or only to POST.
ASKED = {
    "games",
    "players",
    "report_check",
    "calculate_change",
    "calculate_first_rating",
    "calculate_performance",
}


def test_index_names_resources_that_answer(month: Month, get: Get, client: Client) -> None:
    index = get("/")
    latest = index.pop("latest")

    assert [(row["kind"], row["date"]) for row in latest] == [("rapid", "2026-02-01")]
    assert {name for name, address in index.items() if client.get(address).status_code != 200} == ASKED
