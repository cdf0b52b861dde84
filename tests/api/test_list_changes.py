"""The differences between two lists."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from tests.api.conftest import ROOT, Month
from tests.downloads import saved_as


def test_differences_since_another_list_are_those_of_the_entries(month: Month, client: Client) -> None:
    address = f"{ROOT}/lists/rapid/latest/changes"
    answer = client.get(f"{address}.ndjson", {"since": "2026-01-01"})
    rows = [json.loads(line) for line in answer.getvalue().decode().splitlines()]
    before, after = (
        {
            row["fide_id"]: row["rating"]
            for row in client.get(f"{ROOT}/lists/rapid/{day}/entries").json()["results"]
        }
        for day in ("2026-01-01", "2026-02-01")
    )

    changed = {
        row["fide_id"]: (row["before"]["rating"], row["rating"]) for row in rows if "rating" in row["before"]
    }
    assert changed == {key: (before[key], after[key]) for key in before if before[key] != after[key]}
    assert saved_as(answer) == "rapid-2026-01-01-to-2026-02-01.ndjson"
    table = client.get(f"{address}.csv").getvalue().decode().splitlines()
    assert [line.split(",")[1] for line in table[1:]] == [str(row["fide_id"]) for row in rows]


@pytest.mark.parametrize(
    ("address", "status"), [("2026-01-01/changes.csv", 404), ("latest/changes.csv?since=x", 400)]
)
def test_differences_need_another_list(month: Month, client: Client, address: str, status: int) -> None:
    assert client.get(f"{ROOT}/lists/rapid/{address}").status_code == status
