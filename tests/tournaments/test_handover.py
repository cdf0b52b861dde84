"""Reports from chief arbiters: whom an officer may name, what may be sent, and what is refused."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

import pytest

from players.choices import CaseState
from players.models import Appointment
from tests import make
from tests.codes import refusal
from tests.shared import SharedRows
from tests.trf_files import ROUNDS, Event
from tournaments.arbiters import MAX_NAMED, end_naming, name_arbiter
from tournaments.handover import (
    MAX_KEPT,
    hand_over,
    keep_checked,
    send_back,
    take_over,
)
from tournaments.models import HandedReport, Tournament
from tournaments.models.handed_report import CHECKED
from tournaments.reports import Upload, accept_report, upload_report

pytestmark = pytest.mark.page

NOW = datetime(2026, 3, 4, 9, 30, tzinfo=UTC)
TODAY = NOW.date()
PLAYERS = [(0, "Alder, Ada"), (0, "Birch, Ben"), (0, "Cedar, Cleo")]
FACTS: dict[str, Any] = {"start": "2026/02/28", "end": "2026/03/01", "round_dates": ["26/02/28"] * 3}


@dataclass
class Hall:
    """A finished tournament, its rating officer and a chief arbiter."""

    tournament: Tournament
    officer: Any
    arbiter: Any


@pytest.fixture(scope="module")
def built(rows_of_module: SharedRows) -> Hall:
    with rows_of_module():
        swiss = make.federation(code="SUI", name="Switzerland")
        tournament = make.tournament(
            event_id="SUI-1", federation=swiss, start=date(2026, 2, 28), end=date(2026, 3, 1)
        )
        officer = make.person("officer", swiss)
        return Hall(tournament, officer, make.person("arbiter", swiss))


@pytest.fixture
def hall(built: Hall, db: None) -> Hall:
    return deepcopy(built)


@pytest.fixture
def upload(hall: Hall) -> Upload:
    content = Event(PLAYERS, ROUNDS, **FACTS).content()
    return Upload(content, "a.trf", hall.arbiter, TODAY, NOW)


def handed(hall: Hall, state: str = CaseState.WAITING, **facts: Any) -> HandedReport:
    number = facts.pop("number", hall.tournament.handed_reports.count() + 1)
    answer = {"answer": "Round 2 is missing.", "decided_by": hall.officer}
    sent = answer if state == CaseState.REFUSED else {}
    return make.hand_report(hall.tournament, number=number, state=state, at=NOW, sent=sent, **facts)


def steps(hall: Hall) -> list[str]:
    return [str(step.action) for step in hall.tournament.log_entries.order_by("pk")]


def test_same_files_checked_again_are_one_report_with_todays_findings(hall: Hall, upload: Upload) -> None:
    first = keep_checked(hall.tournament, upload)
    HandedReport.objects.update(findings=[])

    again = keep_checked(hall.tournament, upload)

    assert again.pk == first.pk
    assert again.findings == first.findings != []
    assert hall.tournament.handed_reports.count() == 1


def test_another_file_is_another_report(hall: Hall, upload: Upload) -> None:
    numbers = [
        keep_checked(hall.tournament, one).number
        for one in (upload, replace(upload, content=upload.content + b"\r\n"))
    ]

    assert numbers == [1, 2]


def test_check_of_one_file_too_many_is_refused(hall: Hall, upload: Upload) -> None:
    handed(hall, CHECKED, number=MAX_KEPT)

    with refusal() as refused:
        keep_checked(hall.tournament, upload)

    assert refused.found == ["too-many-files"]


def test_tournament_that_takes_no_report_takes_none_of_its_arbiter(hall: Hall, upload: Upload) -> None:
    Tournament.objects.update(registration="withdrawn")
    waiting = handed(hall, CHECKED)

    for act in (
        lambda: keep_checked(hall.tournament, upload),
        lambda: hand_over(waiting, remark="", by=hall.arbiter, at=NOW),
    ):
        with refusal() as refused:
            act()
        assert refused.found
    assert steps(hall) == []


def test_report_with_errors_is_sent_with_a_remark_alone(hall: Hall) -> None:
    error = {"code": "x", "severity": "error", "message": "x", "line": 1, "fix": None}
    checked = handed(hall, CHECKED, findings=[error])

    with refusal() as refused:
        hand_over(checked, remark=" ", by=hall.arbiter, at=NOW)
    is_sent = hand_over(checked, remark="The clock failed.", by=hall.arbiter, at=NOW)

    assert refused.found == ["remark-missing"]
    assert is_sent
    assert steps(hall) == ["hand-over"]


def test_report_sent_twice_is_sent_once_and_replaces_one_that_waits(hall: Hall) -> None:
    former, checked = handed(hall), handed(hall, CHECKED)

    sent = [hand_over(checked, remark="", by=hall.arbiter, at=NOW) for _call in range(2)]

    former.refresh_from_db()
    assert (sent, former.state) == ([True, False], "withdrawn")
    assert steps(hall) == ["hand-over"]


def test_report_taken_twice_is_one_version(hall: Hall, upload: Upload) -> None:
    checked = keep_checked(hall.tournament, upload)
    hand_over(checked, remark="The clock failed.", by=hall.arbiter, at=NOW)

    taken = [take_over(checked, by=hall.officer, at=NOW) for _call in range(2)]

    assert taken[0] == taken[1]
    assert steps(hall).count("take") == 1


def test_acceptance_of_a_version_ends_what_the_arbiter_sent(hall: Hall) -> None:
    waiting, checked = handed(hall), handed(hall, CHECKED)
    players = [make.player(name=name, federation=hall.tournament.federation) for _id, name in PLAYERS]
    content = Event([(one.pk, one.name) for one in players], ROUNDS, **FACTS).content()

    when = {"by": hall.officer, "on": TODAY, "at": NOW}
    report = upload_report(hall.tournament, content, file_name="a.trf", **when)
    accept_report(report, acknowledgement="Seen.", **when)

    waiting.refresh_from_db()
    assert waiting.state == "withdrawn"
    with refusal() as refused:
        hand_over(checked, remark="", by=hall.arbiter, at=NOW)
    assert refused.found == ["accepted"]


def test_report_that_no_longer_waits_is_neither_taken_nor_returned(hall: Hall) -> None:
    returned = handed(hall, CaseState.REFUSED)

    with refusal() as refused:
        take_over(returned, by=hall.officer, at=NOW)

    assert refused.found == ["not-waiting"]
    assert not send_back(returned, reason="Again.", by=hall.officer, at=NOW)
    assert steps(hall) == []


def test_report_is_returned_with_a_reason_alone(hall: Hall) -> None:
    waiting = handed(hall)

    with refusal() as refused:
        send_back(waiting, reason="  ", by=hall.officer, at=NOW)

    assert refused.found == ["reason-missing"]
    assert send_back(waiting, reason="Round 2 is missing.", by=hall.officer, at=NOW)
    assert steps(hall) == ["send-back"]


def test_person_without_an_account_is_named_by_who_may_invite_alone(hall: Hall) -> None:
    with refusal() as refused:
        name_arbiter(hall.tournament, "new@example.org", by=make.user(), at=NOW)
    named, made = name_arbiter(hall.tournament, "new@example.org", by=hall.officer, at=NOW)
    again, none = name_arbiter(hall.tournament, "new@example.org", by=hall.officer, at=NOW)

    assert refused.found == ["nobody"]
    assert made is not None
    assert (again.pk, none) == (named.pk, None)


def test_person_invited_by_a_former_officer_is_invited_anew(hall: Hall) -> None:
    _named, made = name_arbiter(hall.tournament, "new@example.org", by=hall.officer, at=NOW)
    hall.officer.appointments.get().delete(by=None, at=NOW)
    officer = make.person("officer", hall.tournament.federation)

    _again, anew = name_arbiter(hall.tournament, "new@example.org", by=officer, at=NOW)

    assert (made is not None, anew is not None) == (True, True)


def test_arbiters_of_a_tournament_are_limited(hall: Hall) -> None:
    for _number in range(MAX_NAMED):
        arbiter: Appointment = make.appointment(role="arbiter", federation=hall.tournament.federation)
        name_arbiter(hall.tournament, arbiter.user.email, by=hall.officer, at=NOW)

    with refusal() as refused:
        name_arbiter(hall.tournament, hall.arbiter.email, by=hall.officer, at=NOW)

    assert refused.found == ["too-many-named"]


def test_naming_ends_once(hall: Hall) -> None:
    named, _made = name_arbiter(hall.tournament, hall.arbiter.email, by=hall.officer, at=NOW)

    ended = [end_naming(named, by=hall.officer, at=NOW) for _call in range(2)]

    assert ended == [True, False]
    assert steps(hall) == ["name", "unname"]
