"""Reports are checked like with `check_trf --json`, and submitted and accepted with a token only."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from api import reports
from core.web.xlsx_writer import xlsx
from tests.api.conftest import LATER, REGISTRATION, ROOT, SPRING, Call, assert_promised
from tests.trf_files import Event
from tournaments.models import OriginalFile, Report, Tournament

ADDRESS = f"{ROOT}/reports/check"
EVENT = Event([(1001, "Adams, Eva"), (1002, "Berg, Ole")], [[(1, 2, "1-0")], [(2, 1, "1/2")]])


def test_report_is_checked_as_the_command_does(
    db: None, client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "open.trf"
    path.write_bytes(EVENT.content() + b"001 odd\r\n")
    with pytest.raises(SystemExit):
        call_command("check_trf", str(path), "--json")
    (expected,) = json.loads(capsys.readouterr().out)["files"]
    sent = SimpleUploadedFile("open.trf", path.read_bytes())
    response = client.post(ADDRESS, {"file": sent})
    assert response.status_code == 200
    assert response.json() == {**expected, "file": "open.trf"}
    assert response["RateLimit-Limit"] == "30"
    assert Report.objects.count() == 0


@pytest.mark.parametrize(
    "content_type", ["text/plain", "text/plain; charset=utf-8", "application/octet-stream"]
)
def test_report_is_read_from_the_body(db: None, client: Client, content_type: str) -> None:
    found = client.post(ADDRESS, EVENT.content(), content_type=content_type).json()
    assert (found["file"], found["players"], found["games"]) == ("report.trf", 2, 2)


@pytest.mark.parametrize(
    ("body", "content_type", "status", "detail"),
    [
        (b"", "text/plain", 400, reports.NO_REPORT),
        (b"{}", "application/json", 415, 'Unsupported media type "application/json" in request.'),
        (b"x", "multipart/form-data; boundary=y", 400, reports.NO_REPORT),
        (b"x", "multipart/form-data", 400, None),
        (b"a" * 101, "text/plain", 413, "The report must be 0 MiB or smaller."),
    ],
)
def test_invalid_report_body_is_a_problem(
    db: None,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    body: bytes,
    content_type: str,
    status: int,
    detail: str | None,
) -> None:
    monkeypatch.setattr(reports, "MAX_BYTES", 100)
    response = client.post(ADDRESS, body, content_type=content_type)
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    problem: dict[str, Any] = response.json()
    told = problem["errors"][0]["detail"] if "errors" in problem else problem["detail"]
    assert detail in (None, told)


def test_large_body_is_refused_by_its_announced_length(db: None, client: Client) -> None:
    response = client.post(ADDRESS, b"x", content_type="text/plain", CONTENT_LENGTH=str(50 * 1024**2))
    assert response.status_code == 413


def test_tournament_goes_from_registration_to_rating(call: Call, clock: Call) -> None:
    made = assert_promised(
        call("post", "/tournaments", REGISTRATION, status=201), "/tournaments", "post", "201"
    )
    place = f"/tournaments/{made['event_id']}"
    assert (made["federation"], made["registration"]) == ("SUI", "registered")
    progress = assert_promised(call("get", f"{place}/progress"), "/tournaments/{event_id}/progress")
    assert (progress["step"], progress["due_list"]) == ("play", "2026-04-01")
    clock(LATER)
    sent = call("post", f"{place}/reports", SPRING.content(), status=201)
    assert_promised(sent, "/tournaments/{event_id}/reports", "post", "201")
    assert (sent["version"], sent["error_count"]) == (1, 0)
    preview = assert_promised(
        call("get", f"{place}/reports/1/preview"), "/tournaments/{event_id}/reports/{version}/preview"
    )
    assert [player["rating"] for player in preview["players"]] == [2012, 1890, 1798]
    if sent["warning_count"]:
        refused = call("post", f"{place}/reports/1/acceptance", {}, status=409)
        assert [fault["name"] for fault in refused["errors"]] == ["acknowledgement"]
    words = {"acknowledgement": "Checked with the arbiter."}
    accepted = call("post", f"{place}/reports/1/acceptance", words)
    assert_promised(accepted, "/tournaments/{event_id}/reports/{version}/acceptance", "post")
    assert accepted["state"] == "accepted"
    assert call("post", f"{place}/reports/1/acceptance", words) == accepted
    listed = assert_promised(call("get", f"{place}/reports"), "/tournaments/{event_id}/reports")
    assert [(item["version"], item["state"]) for item in listed["results"]] == [(1, "accepted")]
    assert_promised(call("get", f"{place}/reports/1"), "/tournaments/{event_id}/reports/{version}")
    assert call("get", f"{place}/progress")["step"] == "rate"


def test_crosstable_in_a_form_is_accepted_as_a_report(
    client: Client, call: Call, token: str, clock: Call
) -> None:
    made = call("post", "/tournaments", REGISTRATION, status=201)
    clock(LATER)
    table = b"No;Name;FIDE ID;1\n1;Adams, Eva;1001;2w1\n2;Berg, Ole;1002;1b0\n"
    place = f"{ROOT}/tournaments/{made['event_id']}/reports"
    headers = {"authorization": f"Bearer {token}"}

    response = client.post(place, {"file": SimpleUploadedFile("cross.csv", table)}, headers=headers)
    faulty = table.replace(b"2w1", b"2x1")
    refused = client.post(place, {"file": SimpleUploadedFile("cross.csv", faulty)}, headers=headers)

    assert (response.status_code, response.json()["file_name"]) == (201, "cross.trf")
    assert bytes(OriginalFile.objects.get().content) == table
    assert refused.status_code == 409
    assert "“2x1”" in refused.json()["errors"][0]["detail"]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("cross.csv", b"No;Name;1\n1;Adams, Eva;2w1\n2;Berg, Ole;1b0\n"),
        ("cross", b"".join(xlsx("Open", ["No", "Name", "1"], [[1, "Adams, Eva", "2w1"]]))),
    ],
)
def test_crosstable_cannot_be_checked_without_its_tournament(
    db: None, client: Client, name: str, table: bytes
) -> None:
    refused = client.post(ADDRESS, {"file": SimpleUploadedFile(name, table)})

    (fault,) = refused.json()["errors"]
    assert (refused.status_code, fault["name"]) == (400, "file")
    assert "/api/v1/tournaments/{event_id}/reports" in fault["detail"]


def test_d135_repeated_registration_is_asked_about_and_repeated_report_changes_nothing(
    call: Call, clock: Call
) -> None:
    first = call("post", "/tournaments", REGISTRATION, status=201)
    asked = call("post", "/tournaments", REGISTRATION, status=409)
    assert [(fault["name"], fault["code"]) for fault in asked["errors"]] == [
        ("another", "already-registered")
    ]
    assert first["event_id"] in asked["errors"][0]["detail"]
    another = call("post", "/tournaments", REGISTRATION | {"another": True}, status=201)
    assert another["event_id"] != first["event_id"]
    clock(LATER)
    place = f"/tournaments/{first['event_id']}/reports"
    sent = call("post", place, SPRING.content(), status=201)
    clock(datetime(2026, 3, 11, 10, tzinfo=UTC))
    assert call("post", place, SPRING.content())["version"] == sent["version"]
    assert (Tournament.objects.count(), Report.objects.count()) == (2, 1)
