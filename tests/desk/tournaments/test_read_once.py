"""A report is parsed once per request, whatever the page or button, and a large one as heavy work."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from core.web.heavy_work import heavy_work
from players.models import Appointment
from tests.desk.conftest import report_of
from tournaments.models import Report, Tournament
from tournaments.trf import read_report

REPORT = "/desk/tournaments/SUI-PLAYED/report"
VERSION = "/desk/tournaments/SUI-PLAYED/reports/1/"


def times_parsed(call: Callable[[], object]) -> int:
    """Return how often a call parses a report."""
    parsed = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal parsed
        parsed += event == "call" and frame.f_code is read_report.__code__

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(before)
    return parsed


@pytest.mark.slow
def test_each_request_parses_the_report_once(officer: Client, played: Tournament) -> None:
    def upload() -> object:
        content = report_of(name="Open of Betaville")
        return officer.post(REPORT, {"report": SimpleUploadedFile("open.trf", content)})

    def accept(sentence: str) -> object:
        return officer.post(f"{VERSION}accept", {"acknowledgement": sentence})

    assert times_parsed(upload) == 1
    assert times_parsed(lambda: officer.get(VERSION)) == 1
    assert times_parsed(lambda: officer.get(f"{VERSION}preview")) == 1
    assert times_parsed(lambda: officer.get(f"{VERSION}fix")) == 1
    reason = "Another name by the sponsor's wish."
    # Without the reason for the warnings, and with it.
    assert times_parsed(lambda: accept(" ")) == 1
    assert times_parsed(lambda: accept(reason)) == 1
    assert Report.objects.get().state == "accepted"


def test_a_large_report_is_read_as_heavy_work(
    officer: Client, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = report_of(name="Open of Betaville")
    officer.post(REPORT, {"report": SimpleUploadedFile("open.trf", content)})
    monkeypatch.setattr("core.web.heavy_work.HEAVY_WAIT_SECONDS", 0.05)
    officer.raise_request_exception = False
    other = RequestFactory().get("/")
    other.user = Appointment.objects.get(role="officer").user

    def statuses() -> list[int]:
        results = "/desk/tournaments/SUI-PLAYED/results/"
        pages = [officer.get(VERSION), officer.get(f"{VERSION}fix"), officer.get(results)]
        buttons = [officer.post(f"{VERSION}{name}", {"acknowledgement": ""}) for name in ("choose", "accept")]
        return [answer.status_code for answer in pages + buttons]

    with heavy_work(other):
        assert statuses() == [200, 200, 200, 302, 200]
        monkeypatch.setattr("core.web.heavy_work.LARGE_BYTES", len(content) - 1)
        assert statuses() == [503] * 5
