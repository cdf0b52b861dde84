"""Changing and withdrawing once a tournament has begun: the officer asks, the QC decides (D-80, D-81)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from core.errors import RefusedError
from players.cases import decide as decide_case
from players.choices import CaseState
from players.models import Notice
from tests import make
from tests.codes import refusal
from tests.tournaments.test_registration import OPEN
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Action
from tournaments.conditions import Conditions
from tournaments.holds import place_hold
from tournaments.information_requests import ask_for_information
from tournaments.models import Hold, InformationRequest, RequestedChange, Tournament
from tournaments.qc import decide
from tournaments.registration import register_tournament
from tournaments.registration_changes import (
    change_registration,
    restore_registration,
    withdraw_registration,
)
from tournaments.reports import accept_report
from tournaments.requested_changes import waiting_request

pytestmark = pytest.mark.page

START = OPEN.start
BEFORE, FIRST_DAY, AFTER = START - timedelta(days=4), START, START + timedelta(days=2)
OTHERS: list[dict[str, Any]] = [
    {"kind": "blitz", "base_seconds": 180, "increment_seconds": 2},
    # The text goes with the times: at once it would be what everybody reads before the QC decides.
    {"base_seconds": 1500, "increment_seconds": 5, "time_control_text": "25 d5"},
    {"has_unequal_times": True},
    {"end": date(2026, 1, 12)},
    {"start": date(2026, 1, 11)},
    {"schedule": ["2026-01-10"] * 9},
    {"is_match": True},
    {"is_hybrid": True},
]
every_condition = pytest.mark.parametrize("others", OTHERS, ids=lambda others: next(iter(others)))


@pytest.fixture(autouse=True)
def _federation(db: None) -> None:
    make.federation(code="SUI", name="Switzerland")


def at(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 9, tzinfo=UTC)


def registered(on: date = date(2026, 1, 2), **others: Any) -> Tournament:
    return register_tournament(replace(OPEN, **others), by=None, on=on, at=at(on))


def change(tournament: Tournament, on: date, **others: Any) -> Tournament:
    wanted: Conditions = replace(OPEN, **others)
    return change_registration(tournament, wanted, reason="It was a slip.", by=None, on=on, at=at(on))


def has_request(tournament: Tournament) -> bool:
    return waiting_request(tournament) is not None


def kept(tournament: Tournament, others: dict[str, Any]) -> dict[str, Any]:
    tournament.refresh_from_db()
    return {name: getattr(tournament, name) for name in others}


@every_condition
def test_d_80_up_to_the_first_day_the_officer_changes_conditions(others: dict[str, Any]) -> None:
    tournament = change(registered(), BEFORE, **others)

    assert (kept(tournament, others), has_request(tournament)) == (others, False)


@every_condition
def test_d_80_three_day_rule_is_applied_to_the_new_state(others: dict[str, Any]) -> None:
    two_days_before = others.get("start", START) - timedelta(days=2)
    on_time = change(registered(is_match=False), two_days_before - timedelta(days=1), **others)
    late = change(registered(name="Late Open"), two_days_before, name="Late Open", **others)

    # Another first day after the deadline is another event (D-127).
    is_waiting = "is_hybrid" in others or "start" in others
    assert on_time.registration == ("waiting" if is_waiting else "registered")
    assert late.registration == "waiting"


@pytest.mark.parametrize("on", [FIRST_DAY, AFTER])
@every_condition
def test_d_80_from_the_first_day_on_a_change_is_a_request(others: dict[str, Any], on: date) -> None:
    tournament = registered()
    before = kept(tournament, others)

    change(tournament, on, chief_arbiter="Beta, Boris", **others)

    request = RequestedChange.objects.get()
    now = (kept(tournament, others), tournament.chief_arbiter, has_request(tournament))
    assert now == (before, "Beta, Boris", True)
    different = [one["field"] for one in request.changes if one["before"] != one["after"]]
    assert (different, request.reason) == ([*others], "It was a slip.")
    assert [step.action for step in tournament.log_entries.all()] == ["register", "change", "request"]


@every_condition
def test_d_80_granted_request_changes_the_registration(others: dict[str, Any]) -> None:
    tournament = change(registered(), AFTER, **others)
    chair = make.person("qc")

    decide_case(
        RequestedChange.objects.get(), CaseState.APPROVED, answer="By the minutes.", by=chair, at=at(AFTER)
    )

    request, step = RequestedChange.objects.get(), tournament.log_entries.last()
    assert (kept(tournament, others), has_request(tournament)) == (others, False)
    assert (request.state, request.answer, request.decided_by) == (
        "approved",
        "By the minutes.",
        chair,
    )
    assert step is not None
    assert (step.action, step.changes, step.reason) == ("grant", request.changes, "By the minutes.")


def part_before(name: str, *, days: int) -> Tournament:
    """Return a first part of more than 30 days with the second, which ends so many days before the second."""
    start, end = START - timedelta(days=32), START - timedelta(days=days)
    return registered(date(2025, 11, 20), name=name, start=start, end=end, schedule=[start.isoformat()])


def test_d_117_part_before_is_a_condition_like_others() -> None:
    first = part_before("First part", days=1)
    other = part_before("Other part", days=2)
    tournament = change(registered(), BEFORE, continues=other.event_id)
    before = tournament.continues
    change(tournament, AFTER, continues=first.event_id)
    asked = (tournament.continues, has_request(tournament))
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="It is.", by=None, at=at(AFTER))

    tournament.refresh_from_db()
    assert (before, asked, tournament.continues) == (other, (other, True), first)


def test_d_117_request_is_not_granted_for_a_part_that_is_withdrawn_since() -> None:
    first = part_before("First part", days=1)
    change(registered(), AFTER, continues=first.event_id)
    Tournament.objects.filter(pk=first.pk).update(registration="withdrawn")

    with refusal() as error:
        decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="It is.", by=None, at=at(AFTER))

    assert error.found == ["not-fitting"]


def test_d_80_refused_request_leaves_the_registration() -> None:
    tournament = change(registered(), AFTER, is_match=True)

    decide_case(
        RequestedChange.objects.get(), CaseState.REFUSED, answer="It was none.", by=None, at=at(AFTER)
    )

    assert (kept(tournament, {"is_match": 0}), has_request(tournament)) == ({"is_match": False}, False)
    assert (tournament.log_entries.last().action, RequestedChange.objects.get().state) == (
        "deny",
        "refused",
    )  # type: ignore[union-attr]
    assert has_request(change(tournament, AFTER, is_match=True))


def test_d_80_one_request_waits_at_a_time() -> None:
    tournament = change(registered(), AFTER, is_match=True)

    with refusal() as error:
        change(tournament, AFTER, base_seconds=1500)
    with refusal() as withdrawal:
        withdraw_registration(tournament, reason="No.", by=None, at=at(AFTER))

    assert (error.found, withdrawal.found) == (["request-open-D-80"], ["request-open-D-80"])
    assert RequestedChange.objects.count() == 1


def test_d_80_request_that_was_decided_on_meanwhile_is_not_overturned() -> None:
    tournament = change(registered(), AFTER, is_match=True)
    seen = seen_of(tournament)
    decide(tournament, Action.REFUSE, reason="No rounds.", by=None, at=at(AFTER))
    request = RequestedChange.objects.get()

    done = decide_case(request, CaseState.APPROVED, answer="So.", by=None, at=at(AFTER), seen=seen)

    assert (done, request.state, has_request(tournament)) == (False, "refused", False)
    assert request.answer == "No rounds."


def test_d_80_staff_change_what_they_report_at_once() -> None:
    tournament = change(registered(is_official=True), AFTER, is_official=True, is_match=True)

    assert (tournament.is_match, has_request(tournament)) == (True, False)


def test_d_80_report_is_not_accepted_while_a_request_waits() -> None:
    tournament = change(registered(), AFTER, is_match=True)
    make.play_and_rate(tournament, [], [])
    Tournament.objects.update(stage="planned")
    report = tournament.reports.get()
    report.state = "checked"
    report.save()

    with refusal() as error:
        accept_report(report, acknowledgement="So.", by=None, on=AFTER, at=at(AFTER))

    assert "request-open-D-80" in error.found


def test_d_80_change_after_acceptance_is_for_staff() -> None:
    tournament = registered()
    Tournament.objects.update(stage="reported")
    tournament.refresh_from_db()

    with refusal() as error:
        change(tournament, AFTER, is_match=True)

    assert error.found == ["wrong-state"]


def test_d_80_waiver_needs_the_consent_of_the_qc() -> None:
    tournament = registered(is_match=True, match_waiver="Letter 4")

    asked = (tournament.match_waiver, has_request(tournament), tournament.registration)
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So.", by=None, at=at(BEFORE))

    tournament.refresh_from_db()
    assert asked == ("", True, "registered")
    assert (tournament.match_waiver, tournament.match_waiver_on) == ("Letter 4", date(2026, 1, 2))


@pytest.mark.parametrize(
    ("on", "requested_on", "code"),
    [
        (date(2026, 1, 5), date(2026, 1, 10), "waiver-ahead-D-80"),
        (date(2026, 1, 10), date(2026, 1, 10), "waiver-late-D-80"),
        (date(2026, 1, 10), None, "waiver-late-D-80"),
    ],
)
def test_d_80_waiver_is_requested_before_the_first_day(
    on: date, requested_on: date | None, code: str
) -> None:
    told = {"match_waiver": "Letter 4", "match_waiver_on": requested_on, "late_reason": "New hall"}
    with refusal() as error:
        registered(on, is_match=True, **told)

    assert (error.found, Tournament.objects.count()) == ([code], 0)


def test_d_80_waiver_dated_before_the_first_day_may_be_asked_for_after_it() -> None:
    told = {"is_match": True, "match_waiver": "Letter 4"}
    tournament = registered(is_match=True)

    with refusal() as late:
        change(tournament, AFTER, **told)
    change(tournament, AFTER, **told, match_waiver_on=date(2026, 1, 8))

    changes = RequestedChange.objects.get().changes
    assert late.found == ["waiver-late-D-80"]
    assert [one["after"] for one in changes] == ["Letter 4", "2026-01-08"]


def test_d_81_up_to_the_first_day_the_officer_withdraws() -> None:
    tournament = withdraw_registration(registered(), reason="No hall.", by=None, at=at(BEFORE))

    assert (tournament.registration, has_request(tournament)) == ("withdrawn", False)


@pytest.mark.parametrize("on", [FIRST_DAY, AFTER])
def test_d_81_from_the_first_day_on_withdrawing_is_a_request(on: date) -> None:
    tournament = registered()

    with refusal() as error:
        decide(tournament, Action.WITHDRAW, reason="No hall.", by=None, at=at(on))
    withdraw_registration(tournament, reason="No hall.", by=None, at=at(on))
    withdraw_registration_again = pytest.raises(RefusedError)
    with withdraw_registration_again:
        withdraw_registration(tournament, reason="No hall.", by=None, at=at(on))

    tournament.refresh_from_db()
    assert error.found == ["begun-D-81"]
    assert (tournament.registration, has_request(tournament)) == ("registered", True)
    assert RequestedChange.objects.get().sort == "withdrawal"


def test_d_81_rated_event_under_question_is_withdrawn_by_the_qc_alone() -> None:
    tournament = make.tournament(start=date(2026, 1, 10))
    make.play_and_rate(tournament, [], make.round_robin(0))
    place_hold(tournament, reason="Four minutes?", by=None, at=at(AFTER))
    withdraw_registration(tournament, reason="Forget it.", by=None, at=at(AFTER))

    held, was_held = Tournament.objects.get(), Hold.objects.get().state
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So be it.", by=None, at=at(AFTER))

    tournament.refresh_from_db()
    assert (held.registration, was_held) == ("registered", "waiting")
    assert (tournament.registration, has_request(tournament)) == ("withdrawn", False)
    assert Hold.objects.get().state == "withdrawn"


def test_d_81_nothing_is_asked_about_what_the_qc_withdrew() -> None:
    tournament = registered()
    values: dict[str, Any] = {"by": None, "at": at(AFTER)}
    withdraw_registration(tournament, reason="No hall.", **values)
    ask_for_information(tournament, "Which hall?", due_on=AFTER, on=AFTER, **values)
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So be it.", **values)

    assert InformationRequest.objects.get().state == "withdrawn"


@pytest.mark.parametrize("by_request", [False, True])
def test_d_81_withdrawn_registration_is_restored(by_request: bool) -> None:
    tournament = registered()
    on = AFTER if by_request else BEFORE
    withdraw_registration(tournament, reason="No hall.", by=None, at=at(on))
    if by_request:
        decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So.", by=None, at=at(on))
    tournament.refresh_from_db()

    with refusal() as reasonless:
        restore_registration(tournament, reason="", by=None, at=at(AFTER))
    restore_registration(tournament, reason="Played after all.", by=None, at=at(AFTER))
    with refusal() as again:
        restore_registration(tournament, reason="Played after all.", by=None, at=at(AFTER))

    step = tournament.log_entries.last()
    assert (reasonless.found, again.found) == (["reason-missing"], ["not-withdrawn"])
    assert step is not None
    assert (step.action, step.before, step.after) == (
        "restore",
        "withdrawn",
        "registered",
    )


def test_d_80_d_81_mails_say_who_decides_and_what_was_decided() -> None:
    officer = make.person("officer", "SUI")
    chair = make.person("qc")
    tournament = registered()
    withdraw_registration(tournament, reason="No hall.", by=officer, at=at(AFTER))
    decide_case(RequestedChange.objects.get(), CaseState.APPROVED, answer="So.", by=chair, at=at(AFTER))
    restore_registration(tournament, reason="There is one.", by=chair, at=at(AFTER))

    notices = Notice.objects.order_by("pk")
    assert [notice.user for notice in notices] == [chair, officer, officer]
    assert len({notice.subject for notice in notices}) == 3
    assert all(tournament.name in notice.subject for notice in notices)
