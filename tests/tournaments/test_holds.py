"""Reports under question, requests for information, notes (FIDE R&B 2024, 0.2, 0.4)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from players.models import Case
from ratings.publish.due_reports import due_reports
from tests import make
from tests.codes import refusal
from tournaments.choices import Action, Registration
from tournaments.holds import flag_outliers, place_hold, release_hold
from tournaments.information_requests import ask_for_information
from tournaments.models import Flags, Hold, InternalNote, Report, Tournament
from tournaments.qc import add_note, decide
from tournaments.requested_changes import close_cases_of_published

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
APRIL = date(2026, 4, 1)


@pytest.fixture
def report(db: None) -> Report:
    made = make.tournament(event_id="SUI-ASKED", start=date(2026, 2, 20), end=date(2026, 2, 21))
    report = make.play(made, [], [])
    made.refresh_from_db()
    report.tournament = made
    return report


def due() -> int:
    return len(due_reports("rapid", APRIL))


def test_a_question_holds_the_tournament_back_until_it_is_cleared(report: Report) -> None:
    tournament = report.tournament
    numbers = [due()]

    place_hold(tournament, reason="All games within four minutes.", by=None, at=NOW)
    numbers.append(due())
    release_hold(tournament, reason="The clocks agree.", by=None, at=NOW)
    numbers.append(due())

    assert numbers == [1, 0, 1]
    assert [step.action for step in tournament.log_entries.all()] == [Action.HOLD, Action.CLEAR]


def test_a_decision_not_to_rate_ends_the_question(report: Report) -> None:
    place_hold(report.tournament, reason="Why?", by=None, at=NOW)

    decide(report.tournament, Action.NOT_RATE, reason="It was none.", by=None, at=NOW)

    report.tournament.refresh_from_db()
    assert report.tournament.registration == Registration.NOT_RATED
    assert Hold.objects.get().state == "withdrawn"


@pytest.mark.parametrize(
    ("changes", "reason", "code"),
    [
        ({}, " ", "reason-missing"),
        ({"stage": "planned"}, "Why?", "wrong-state"),
        ({"stage": "published"}, "Why?", "wrong-state"),
        ({"registration": "withdrawn"}, "Why?", "wrong-state"),
        ({"is_official": True}, "Why?", "official-0.3"),
    ],
)
def test_what_cannot_be_put_under_question(
    report: Report, changes: dict[str, object], reason: str, code: str
) -> None:
    Tournament.objects.update(**changes)
    report.tournament.refresh_from_db()

    with refusal() as refused:
        place_hold(report.tournament, reason=reason, by=None, at=NOW)

    assert (refused.found, Hold.objects.count()) == ([code], 0)


def test_what_is_on_hold_is_held_once(report: Report) -> None:
    place_hold(report.tournament, reason="Why?", by=None, at=NOW)

    with refusal() as refused:
        place_hold(report.tournament, reason="And why that?", by=None, at=NOW)

    assert (refused.found, Hold.objects.get().reason) == (["wrong-state"], "Why?")


def test_outliers_bring_a_report_before_the_qc_and_hold_nothing_back(report: Report) -> None:
    report.findings = [{"code": "performance-outlier", "severity": "notice"}] * 2 + [{"code": "event-name"}]

    flag_outliers(report, at=NOW)
    flag_outliers(report, at=NOW)

    (flag,) = Flags.objects.all()
    assert flag.stated == [{"code": "performance-outlier", "number": 2}]
    assert flag.why == "2 results are far from the expected score."
    assert (Hold.objects.count(), due()) == (0, 1)


def test_dismissed_flags_are_no_released_hold(report: Report) -> None:
    report.findings = [{"code": "performance-outlier"}]
    flag_outliers(report, at=NOW)

    release_hold(report.tournament, reason="Checked by hand.", by=None, at=NOW)

    assert report.tournament.log_entries.last().action == Action.UNFLAG


def test_a_person_takes_over_what_the_findings_raised(report: Report) -> None:
    report.findings = [{"code": "performance-outlier"}]
    flag_outliers(report, at=NOW)

    place_hold(report.tournament, reason="Look closely.", by=None, at=NOW)

    waiting = Case.objects.filter(state="waiting").values_list("kind", "reason")
    assert [*waiting] == [("hold", "Look closely.")]
    assert due() == 0


def test_what_nobody_decided_ends_with_the_list_that_takes_the_report(report: Report) -> None:
    report.findings = [{"code": "performance-outlier"}]
    flag_outliers(report, at=NOW)
    make.hand_report(report.tournament)
    ask_for_information(report.tournament, "Why?", due_on=NOW.date(), by=None, on=NOW.date(), at=NOW)

    close_cases_of_published([report.tournament.pk], at=NOW)

    assert {*Case.objects.values_list("state", "decided_at")} == {("withdrawn", NOW)}


def test_one_request_at_a_time_is_open(report: Report) -> None:
    ask_for_information(
        report.tournament, "Send the papers.", due_on=NOW.date(), by=None, on=NOW.date(), at=NOW
    )

    with refusal() as second:
        ask_for_information(
            report.tournament, "And the clocks?", due_on=NOW.date(), by=None, on=NOW.date(), at=NOW
        )

    assert second.found == ["request-open"]


def test_a_request_leaves_time(report: Report) -> None:
    yesterday = NOW.date() - timedelta(days=1)

    with refusal() as refused:
        ask_for_information(report.tournament, " ", due_on=yesterday, by=None, on=NOW.date(), at=NOW)

    assert refused.found == ["text-missing", "due-past"]


def test_a_note_clicked_twice_stands_once_and_not_in_the_trail(report: Report) -> None:
    chair = make.user()

    for text in ("Ask Ada.", "Ask Ada. ", "Ask Ben."):
        add_note(report.tournament, text, by=chair, at=NOW)

    assert list(InternalNote.objects.values_list("text", flat=True)) == ["Ask Ada.", "Ask Ben."]
    assert report.tournament.log_entries.count() == 0
