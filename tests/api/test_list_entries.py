"""Entries of a list: pages in list order, filters, streams."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Membership
from tests import make
from tests.api.conftest import ROOT, Get, Month
from tests.downloads import media_type, saved_as


def test_entries_come_in_list_order_page_by_page(month: Month, get: Get, client: Client) -> None:
    for fide_id, name in ((1010, "Same, A"), (1009, "Same, B"), (1011, "Same, A"), (1008, "Élan, Z")):
        make.entry(player=make.player(fide_id=fide_id, name=name), rating=1800)
    seen, address = [], f"{ROOT}/lists/rapid/2026-01-01/entries?limit=2"
    while address:
        page = client.get(address).json()
        seen += [row["fide_id"] for row in page["results"]]
        address = page["next"]
    assert seen == [1001, 1002, 1003, 1010, 1011, 1009, 1008]


def test_next_page_of_latest_names_the_date(month: Month, get: Get) -> None:
    first = get("/lists/rapid/latest/entries", {"limit": "2"})
    assert first["next"].partition("?")[0] == f"http://testserver{ROOT}/lists/rapid/2026-02-01/entries"

    make.publish("rapid", date(2026, 3, 1))

    rest = get(first["next"].removeprefix(f"http://testserver{ROOT}"))
    whole = get("/lists/rapid/2026-02-01/entries")["results"]
    assert first["results"] + rest["results"] == whole


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"federation": "NOR"}, [1003]),
        ({"sex": "F"}, [1002]),
        ({"title": "GM"}, [1001]),
        ({"title": "WIM"}, [1002]),
        ({"birth_year_from": 1990}, [1002, 1003]),
        ({"birth_year_from": 1981, "birth_year_to": 2000}, [1002]),
        ({"rating_from": 1900}, [1001]),
        ({"rating_to": 1800}, [1002, 1003]),
        ({"club": "SC Alpha"}, [1001, 1002]),
        ({"club": "SC Alpha", "federation": "NOR"}, []),
        ({"district": "North"}, [1001]),
        ({"active": "false"}, []),
        ({"active": "true", "sex": "M"}, [1001, 1003]),
    ],
)
def test_filter_selects_matching_entries(
    month: Month, get: Get, query: dict[str, Any], expected: list[int]
) -> None:
    rows = get("/lists/rapid/2026-01-01/entries", query)["results"]
    assert [row["fide_id"] for row in rows] == expected


@pytest.mark.parametrize("form", ["", ".csv", ".ndjson"])
def test_entries_of_a_club_change_with_its_members(month: Month, client: Client, form: str) -> None:
    address = f"{ROOT}/lists/rapid/2026-02-01/entries{form}?club=SC Alpha"
    before = client.get(address)
    kept = client.get(address, headers={"if-none-match": before["ETag"]})
    Membership.objects.filter(player=1001).update(club="SC Beta")

    after = client.get(address, headers={"if-none-match": before["ETag"]})

    assert (kept.status_code, after.status_code, "Last-Modified" in before) == (304, 200, False)
    assert (b"Adams" in after.getvalue(), b"1001" in after.getvalue()) == (True, False)


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_stream_is_named_by_its_list_and_kept_by_its_etag(month: Month, client: Client, form: str) -> None:
    address = f"{ROOT}/lists/rapid/2026-02-01/entries"

    own = client.get(f"{address}.{form}", {"sex": "F"}, headers={"accept": "*/*"})

    assert own["Content-Disposition"] == f'attachment; filename="rapid-2026-02-01.{form}"'
    assert own["Cache-Control"] == "public, max-age=60"
    unchanged = client.get(f"{address}.{form}", {"sex": "F"}, headers={"if-none-match": own["ETag"]})
    assert unchanged.status_code == 304


def test_client_that_accepts_only_problems_gets_the_stream(month: Month, client: Client) -> None:
    # openapi-generator accepts only the JSON type among the responses, which is that of errors.
    accept = {"accept": "application/problem+json"}
    answer = client.get(f"{ROOT}/lists/rapid/latest/entries.csv", headers=accept)
    assert (answer.status_code, media_type(answer)) == (200, ("text/csv", "utf-8"))


def test_stream_has_no_pages(month: Month, get: Get) -> None:
    problem = get("/lists/rapid/latest/entries.csv", {"limit": 5}, status=400)
    assert [fault["name"] for fault in problem["errors"]] == ["limit"]


def test_streams_equal_pages(month: Month, get: Get, client: Client) -> None:
    address = f"{ROOT}/lists/rapid/2026-02-01/entries"
    rows = get("/lists/rapid/2026-02-01/entries")["results"]
    lines = b"".join(client.get(f"{address}.ndjson").streaming_content).decode()
    assert [json.loads(line) for line in lines.splitlines()] == rows
    response = client.get(f"{address}.csv")
    table = b"".join(response.streaming_content).decode()
    read = [list(row.values()) for row in csv.DictReader(io.StringIO(table))]
    assert read == [[_in_csv(value) for value in row.values()] for row in rows]
    assert saved_as(response) == "rapid-2026-02-01.csv"
    assert client.head(f"{address}.csv").content == b""


def _in_csv(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
