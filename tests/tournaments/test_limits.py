"""How much an account and a federation may hold, and which reports go after two years."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from core.errors import RefusedError
from players.models import Case
from tests import make
from tests.codes import refusal
from tests.test_report_doors import NOW, report
from tests.tournaments.test_crosstables import CSV
from tests.tournaments.test_registration import OPEN
from tournaments import limits
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.choices import Action
from tournaments.due_reports import remove_unaccepted
from tournaments.handover import keep_checked
from tournaments.models import HandedReport, OriginalFile, Report, ResultCorrection, Tournament
from tournaments.qc import decide
from tournaments.registration import register_tournament
from tournaments.registration_changes import withdraw_registration
from tournaments.reports import Upload, upload_report
from tournaments.uploaded_files import as_trf, keep_file

pytestmark = pytest.mark.page

TODAY = NOW.date()


@pytest.fixture
def officer(db: None) -> Any:
    return make.person("officer", "SUI")


@pytest.fixture
def over(officer: Any) -> Tournament:
    make.rating_list(date=date(2026, 2, 1))
    return make.tournament(event_id="SUI-1", start=date(2026, 2, 28), end=date(2026, 3, 1))


def uploaded(tournament: Tournament, number: int, by: Any, at: datetime = NOW) -> Report:
    content = report() + f"### {number}\n".encode()
    return upload_report(tournament, content, file_name="o.trf", by=by, on=at.date(), at=at)


def test_bytes_of_a_day_are_limited_for_an_account_at_every_door(
    over: Tournament, officer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(report() + b"### 1\n")
    monkeypatch.setattr(limits, "MAX_BYTES_A_DAY", 2 * size + 5)
    uploaded(over, 1, officer, NOW - timedelta(hours=5))
    keep_checked(over, Upload(report() + b"### 2\n", "o.trf", officer, TODAY, NOW - timedelta(hours=3)))

    with pytest.raises(RefusedError, match="5 March 2026, 04:30 UTC") as by_upload:
        uploaded(over, 3, officer)
    with refusal() as by_check:
        keep_checked(over, Upload(report() + b"### 3\n", "o.trf", officer, TODAY, NOW))
    refused = decide(make.tournament(), Action.NOT_RATE, reason="No.", by=None, at=NOW)
    files = [("a.pdf", b"%PDF-0")]
    with refusal() as by_appeal:
        lodge_appeal(refused, AppealRequest("facts", "Yes.", "Club", files), by=officer, at=NOW)
    assert [one.code for one in by_upload.value.refusals] == ["too-many-bytes"]
    assert by_check.found == by_appeal.found == ["too-many-bytes"]

    assert uploaded(over, 3, make.person("officer")).version == 2
    assert uploaded(over, 3, officer).version == 2
    assert uploaded(over, 4, officer, NOW + timedelta(hours=19, minutes=1)).version == 3


def test_files_from_which_reports_were_made_count_too(
    over: Tournament, officer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Lines below the table make the file larger, not its TRF.
    table = "\n".join([CSV, *["x" * 100] * 100]).encode()
    other = make.tournament(start=over.start, end=over.end)
    draft, next_draft = (as_trf(event, table, "table.csv") for event in (over, other))
    told = {"by": officer, "on": TODAY, "at": NOW}
    size = len(table) + len(draft.content)
    monkeypatch.setattr(limits, "MAX_BYTES_A_DAY", 2 * size)
    keep_checked(over, Upload(table, "table.csv", officer, TODAY, NOW - timedelta(hours=3)))
    keep_file(over, draft, **told)
    keep_file(over, draft, **told)

    with refusal() as by_upload:
        uploaded(over, 1, officer)
    monkeypatch.setattr(limits, "MAX_BYTES_A_DAY", 2 * size + len(table) + len(next_draft.content) - 1)
    with refusal() as by_draft:
        keep_file(other, next_draft, **told)
    assert by_upload.found == by_draft.found == ["too-many-bytes"]
    assert OriginalFile.objects.count() == 1


def registered(number: int, by: Any) -> Tournament:
    request = replace(OPEN, name=f"Open {number}", end=OPEN.end + timedelta(days=number))
    return register_tournament(request, by=by, on=date(2026, 1, 5), at=datetime(2026, 1, 5, tzinfo=UTC))


@pytest.mark.parametrize("limit", ["MAX_OPEN_OF_FEDERATION", "MAX_OPEN_OF_ACCOUNT"])
def test_open_registrations_are_limited_until_one_ends(
    officer: Any, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(limits, limit, 2)
    first, _second = registered(1, officer), registered(2, officer)

    with pytest.raises(RefusedError, match="12 January 2026") as refused:
        registered(3, officer)
    assert [one.code for one in refused.value.refusals] == ["too-many-registrations"]
    withdraw_registration(first, reason="The hall burnt.", by=officer, at=datetime(2026, 1, 5, tzinfo=UTC))

    assert registered(3, officer).pk


@pytest.mark.database
def test_reports_never_accepted_go_after_two_years_and_accepted_ones_never(
    over: Tournament, officer: Any
) -> None:
    accepted = make.tournament(event_id="SUI-2")
    alone = make.tournament(event_id="SUI-3", registration="not-rated")
    make.play(accepted, [], [], version=2)
    # Its reports wait for a decision, with errors too (D-128).
    undecided = make.tournament(event_id="SUI-4")
    for made, version in (
        (accepted, 1),
        (accepted, 3),
        (alone, 1),
        (alone, 2),
        (undecided, 1),
        (undecided, 2),
    ):
        make.report(made, at=NOW, version=version, has_errors=True)
    make.hand_report(alone, state="checked", at=NOW)
    taken = {"report": alone.reports.get(version=1)}
    make.hand_report(alone, number=2, state="approved", at=NOW, sent=taken)

    remove_unaccepted(NOW + timedelta(days=730))
    assert (Report.objects.count(), HandedReport.objects.count()) == (7, 2)
    remove_unaccepted(NOW + timedelta(days=732))

    left = list(Report.objects.values_list("tournament__event_id", "version"))
    kept = [("SUI-2", 2), ("SUI-2", 3), ("SUI-4", 1), ("SUI-4", 2)]
    assert (left, HandedReport.objects.count(), Case.objects.count()) == (kept, 0, 0)


def test_a_version_of_which_a_correction_was_requested_stays(db: None) -> None:
    event = make.tournament(registration="refused")
    report = make.report(event, at=NOW)
    asked = {"round": 1, "white": 1, "black": 2, "asked_at": NOW}
    ResultCorrection.objects.create(tournament=event, report=report, **asked)

    remove_unaccepted(NOW + timedelta(days=732))

    assert Report.objects.get() == report
