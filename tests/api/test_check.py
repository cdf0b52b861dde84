"""Reports are checked as `check_trf --json` does, nothing is stored, and no body is an error of the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.views import reports
from tests.api.conftest import ROOT
from tests.trf_files import Event
from tournaments.models import Report

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
def test_report_may_be_the_body(db: None, client: Client, content_type: str) -> None:
    found = client.post(ADDRESS, EVENT.content(), content_type=content_type).json()
    assert (found["file"], found["players"], found["games"]) == ("report.trf", 2, 2)


@pytest.mark.parametrize(
    ("body", "content_type", "status", "detail"),
    [
        (b"", "text/plain", 400, reports.NO_REPORT),
        (b"{}", "application/json", 415, 'Unsupported media type "application/json" in request.'),
        (b"x", "multipart/form-data; boundary=y", 400, reports.NO_REPORT),
        (b"x", "multipart/form-data", 400, None),
        (b"a" * 101, "text/plain", 413, "A report has at most 0 MiB."),
    ],
)
def test_body_that_is_no_report_is_a_problem(
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


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    body=st.binary(max_size=300),
    kind=st.sampled_from(["text/plain", "multipart/form-data; boundary=b", "x/y", ""]),
)
def test_no_body_is_an_error_of_the_server(db: None, client: Client, body: bytes, kind: str) -> None:
    response = client.post(ADDRESS, body, content_type=kind)
    assert response.status_code in (200, 400, 413, 415, 429)
