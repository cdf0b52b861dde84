"""Appeals against decisions not to rate (FIDE R&B 2024, 0.4), and what follows from them (8.1)."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RefusedError
from players import cases
from players.choices import CaseState
from players.federations import Federations
from ratings.publish.due_reports import due_reports
from tests import make
from tests.codes import refusal
from tournaments import regulations
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.choices import Action, Registration
from tournaments.evidence import MAX_FILE_BYTES, MAX_FILES
from tournaments.models import Appeal, Tournament
from tournaments.qc import decide
from tournaments.report_barriers import report_refusals

REQUEST = AppealRequest("facts", "Both rounds were played at 15+10.", "Chess Club Alphaville")
DECIDED = datetime(2026, 3, 2, 23, 59, 59, tzinfo=UTC)


@pytest.fixture
def tournament(db: None) -> Tournament:
    made = make.tournament(event_id="SUI-APPEAL", start=date(2026, 2, 20), end=date(2026, 2, 21))
    make.play(made, [], [])
    made.refresh_from_db()
    return made


def not_rated(tournament: Tournament, at: datetime = DECIDED, by: Any = None) -> Tournament:
    return decide(tournament, Action.NOT_RATE, reason="Two minutes a player.", by=by, at=at)


@pytest.mark.parametrize(
    ("decided", "lodged", "is_taken"),
    [
        (DECIDED, DECIDED, True),
        (DECIDED, datetime(2026, 3, 9, 23, 59, 59, tzinfo=UTC), True),
        (DECIDED, datetime(2026, 3, 10, 0, 0, tzinfo=UTC), False),
        # The 7th day in UTC, though the 8th in Auckland.
        (DECIDED, datetime.fromisoformat("2026-03-10T12:59:00+13:00"), True),
        # The 8th day in UTC, though the 7th in Honolulu.
        (DECIDED, datetime.fromisoformat("2026-03-09T14:00:00-10:00"), False),
    ],
)
def test_0_4_the_seventh_utc_day_still_counts(
    tournament: Tournament, decided: datetime, lodged: datetime, is_taken: bool
) -> None:
    not_rated(tournament, decided)

    try:
        lodge_appeal(tournament, REQUEST, by=None, at=lodged)
        refused = []
    except RefusedError as error:
        refused = [refusal.code for refusal in error.refusals]

    assert (refused, Appeal.objects.count()) == (([], 1) if is_taken else (["appeal-late-0.4"], 0))


@given(st.dates(min_value=date(2022, 1, 1), max_value=date(2090, 1, 1)), st.integers(-3, 12))
def test_0_4_an_appeal_is_in_time_for_seven_days(communicated: date, days: int) -> None:
    assert regulations.may_appeal(communicated, communicated + timedelta(days=days)) == (0 <= days <= 7)


def test_0_4_an_appeal_needs_a_decision_not_to_rate(tournament: Tournament) -> None:
    with refusal() as refused:
        lodge_appeal(tournament, REQUEST, by=None, at=DECIDED)

    assert refused.found == ["no-decision-0.4"]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (AppealRequest("whim", "Why.", "Club"), "ground-missing"),
        (AppealRequest("facts", "  ", "Club"), "statement-missing"),
        (AppealRequest("facts", "Why.", ""), "organiser-missing"),
        (AppealRequest("facts", "Why.", "Club", [("a.pdf", b"%PDF-")] * (MAX_FILES + 1)), "too-many-files"),
        (AppealRequest("facts", "Why.", "Club", [("a.pdf", b"")]), "file-size"),
        (AppealRequest("facts", "Why.", "Club", [("a.pdf", b"<html>")]), "file-format"),
        (AppealRequest("facts", "Why.", "Club", [("a.pdf", b"x" * (MAX_FILE_BYTES + 1))]), "file-size"),
    ],
)
def test_0_4_an_appeal_says_why_and_is_bounded(
    tournament: Tournament, request_: AppealRequest, code: str
) -> None:
    not_rated(tournament)

    with refusal() as refused:
        lodge_appeal(tournament, request_, by=None, at=DECIDED)

    assert (refused.found, Appeal.objects.count()) == ([code], 0)


def test_files_are_kept_as_they_came_with_a_name_that_can_do_no_harm(tournament: Tournament) -> None:
    not_rated(tournament)
    files = [("../../etc/clock\n.pdf", b"%PDF-1.7"), ("photo.jpg", b"\xff\xd8\xff")]

    appeal = lodge_appeal(
        tournament, AppealRequest("evidence", "See the files.", "Club", files), by=None, at=DECIDED
    )

    kept = [(file.file_name, bytes(file.content), file.size, file.sha256) for file in appeal.files.all()]
    assert kept == [
        ("clock.pdf", b"%PDF-1.7", 8, hashlib.sha256(b"%PDF-1.7").hexdigest()),
        ("photo.jpg", b"\xff\xd8\xff", 3, hashlib.sha256(b"\xff\xd8\xff").hexdigest()),
    ]


def test_a_second_click_lodges_nothing_twice_and_a_second_person_is_refused(tournament: Tournament) -> None:
    not_rated(tournament)
    officer, deputy = make.user(), make.user()

    first = lodge_appeal(tournament, REQUEST, by=officer, at=DECIDED)
    again = lodge_appeal(tournament, REQUEST, by=officer, at=DECIDED + timedelta(days=20))
    with refusal() as refused:
        lodge_appeal(tournament, REQUEST, by=deputy, at=DECIDED)

    assert (again, refused.found) == (first, ["appealed-already"])
    assert tournament.log_entries.filter(action=Action.APPEAL).count() == 1


def test_0_4_upheld_it_goes_into_the_next_list_that_can_take_it(tournament: Tournament) -> None:
    not_rated(tournament)
    appeal = lodge_appeal(tournament, REQUEST, by=None, at=DECIDED)
    before = due_reports("rapid", date(2026, 4, 1))

    cases.decide(appeal, CaseState.APPROVED, answer="The clocks prove it.", by=None, at=DECIDED)

    tournament.refresh_from_db()
    assert before == []
    assert [report.tournament_id for report in due_reports("rapid", date(2026, 4, 1))] == [tournament.pk]
    # Even after its third list, which is that of May.
    assert [report.tournament_id for report in due_reports("rapid", date(2026, 7, 1))] == [tournament.pk]
    step = tournament.log_entries.last()
    assert step is not None
    assert (step.action, step.reason, step.is_public) == (Action.UPHOLD, "The clocks prove it.", True)
    assert (step.before, step.after) == (Registration.NOT_RATED, Registration.APPROVED)


def test_0_4_what_council_upheld_is_not_refused_without_an_appeal(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(stage="planned", upheld_on=DECIDED.date())
    tournament.refresh_from_db()

    with refusal() as refused:
        decide(tournament, Action.REFUSE, reason="Late.", by=None, at=DECIDED)

    assert refused.found == ["wrong-state"]
    assert not_rated(tournament).registration == Registration.NOT_RATED


def test_0_4_dismissed_it_stays_not_rated(tournament: Tournament) -> None:
    not_rated(tournament)
    appeal = lodge_appeal(tournament, REQUEST, by=None, at=DECIDED)

    cases.decide(appeal, CaseState.REFUSED, answer="Nothing new.", by=None, at=DECIDED)

    tournament.refresh_from_db()
    assert (Appeal.objects.get().state, tournament.registration) == ("refused", Registration.NOT_RATED)
    assert due_reports("rapid", date(2026, 4, 1)) == []


def test_nobody_decides_an_appeal_against_a_decision_of_their_own(tournament: Tournament) -> None:
    chair = make.person("qc")
    make.appointment(role="council", user=chair)
    not_rated(tournament, by=chair)
    appeal = lodge_appeal(tournament, REQUEST, by=None, at=DECIDED)

    with refusal() as refused:
        cases.decide(appeal, CaseState.APPROVED, answer="Yes.", by=chair, at=DECIDED)

    assert (refused.found, Appeal.objects.get().state) == (["own-decision"], "waiting")


@pytest.mark.parametrize("state", [CaseState.APPROVED, CaseState.REFUSED])
def test_0_4_council_upholds_and_dismisses_with_reasons(tournament: Tournament, state: CaseState) -> None:
    not_rated(tournament)
    appeal = lodge_appeal(tournament, REQUEST, by=None, at=DECIDED)

    with refusal() as refused:
        cases.decide(appeal, state, answer=" ", by=None, at=DECIDED)

    assert (refused.found, Appeal.objects.get().state) == (["reason-missing"], "waiting")


@pytest.mark.parametrize(
    ("upheld", "newest", "submitted", "is_taken"),
    [
        (None, date(2026, 4, 1), date(2026, 5, 2), True),
        (None, date(2026, 5, 1), date(2026, 4, 30), True),
        (None, date(2026, 5, 1), date(2026, 5, 1), False),
        (date(2026, 6, 10), date(2026, 8, 1), date(2026, 9, 2), True),
        (date(2026, 6, 10), date(2026, 9, 1), date(2026, 9, 1), False),
    ],
)
def test_8_1_the_time_for_the_report_runs_anew_from_an_upheld_appeal(
    db: None, upheld: date | None, newest: date, submitted: date, is_taken: bool
) -> None:
    """The third list's publication ends it, whatever the day (D-76)."""
    make.rating_list(date=newest)
    made = make.tournament(start=date(2026, 2, 20), upheld_on=upheld)

    refused = [refusal.code for refusal in report_refusals(made, on=submitted, federations=Federations())]

    assert refused == ([] if is_taken else ["third-list-8.1"])
