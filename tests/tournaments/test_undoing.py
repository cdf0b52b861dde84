"""The last step of a tournament is undone by its author, as long as nothing was built on it (D-80, D-81)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
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
from tournaments.handover import send_back
from tournaments.lists import Lists
from tournaments.models import HandedReport, Handover, RequestedChange, Tournament
from tournaments.qc import decide
from tournaments.registered_conditions import registered_conditions
from tournaments.registration import register_tournament
from tournaments.registration_changes import change_registration, withdraw_registration
from tournaments.requested_changes import waiting_request
from tournaments.states import progress_of
from tournaments.time_line import time_line
from tournaments.undoing import BUILT_ON, HAS_BEGUN, NOT_OWN, NOT_THIS, QC_DECIDES, undo_last_step

pytestmark = pytest.mark.page

EARLY, BEFORE, FIRST_DAY, AFTER = (date(2026, 1, day) for day in (2, 6, 10, 12))
WAIVER = {"match_waiver": "FIDE 12/2026", "is_match": True}


def at(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 9, tzinfo=UTC)


@pytest.fixture
def author(db: None) -> Any:
    return make.appointment(role="officer", federation=make.federation(code="SUI", name="Switzerland")).user


@pytest.fixture
def registered(author: Any) -> Tournament:
    return register_tournament(OPEN, by=author, on=EARLY, at=at(EARLY))


def undo(tournament: Tournament, by: Any, on: date = BEFORE) -> str:
    """Undo the last step as its page offers it and return what it was, or the reason why it was refused."""
    told = {"seen": seen_of(tournament), "by": by}
    try:
        return undo_last_step(tournament, **told, on=on, at=at(on)).action
    except RefusedError as error:
        return error.refusals[0].message


def state(tournament: Tournament) -> tuple[str, list[str]]:
    """Return the registration and the steps of a tournament."""
    tournament.refresh_from_db()
    return tournament.registration, [step.action for step in tournament.log_entries.order_by("pk")]


def request(tournament: Tournament, by: Any) -> RequestedChange:
    """Have the officer ask the QC for another last day."""
    wanted: Conditions = replace(OPEN, end=date(2026, 1, 12))
    change_registration(tournament, wanted, reason="A slip.", by=by, on=FIRST_DAY, at=at(FIRST_DAY))
    return RequestedChange.objects.get(tournament=tournament)


def returned(tournament: Tournament, by: Any) -> HandedReport:
    """Return a report of an arbiter that the officer sends back."""
    arbiter = make.person("arbiter", tournament.federation)
    handed = make.hand_report(tournament, at=at(AFTER), by=arbiter, content=b"012 Open")
    send_back(handed, reason="Round 2 is missing.", by=by, at=at(AFTER))
    return handed


def test_d_81_a_registration_is_undone_as_a_withdrawal(registered: Tournament, author: Any) -> None:
    assert undo(registered, author) == "register"
    assert state(registered) == ("withdrawn", ["register", "withdraw"])


def test_a_registration_with_a_report_is_not_undone(registered: Tournament, author: Any) -> None:
    make.play(registered, [], [])

    assert undo(registered, author) == BUILT_ON


@pytest.mark.parametrize("on", [date(2026, 1, 9), date(2026, 1, 2)])
def test_d_81_a_withdrawal_is_undone_up_to_the_first_day(
    registered: Tournament, author: Any, on: date
) -> None:
    withdraw_registration(registered, reason="Hall lost.", by=author, at=at(EARLY))

    assert undo(registered, author, on) == "withdraw"
    assert state(registered) == ("registered", ["register", "withdraw", "restore"])


@pytest.mark.parametrize("step", ["register", "withdraw", "change"])
def test_d_80_what_the_qc_decides_from_the_first_day_on_is_not_undone(
    registered: Tournament, author: Any, step: str
) -> None:
    if step == "withdraw":
        withdraw_registration(registered, reason="Hall lost.", by=author, at=at(EARLY))
    if step == "change":
        wanted = replace(OPEN, city="Betaville")
        change_registration(registered, wanted, reason="x", by=author, on=EARLY, at=at(EARLY))
    before = state(registered)

    said = undo(registered, author, FIRST_DAY)

    assert said == HAS_BEGUN
    assert state(registered) == before


def test_the_history_tells_what_was_undone_once(registered: Tournament, author: Any) -> None:
    wanted = replace(OPEN, city="Betaville")
    change_registration(registered, wanted, reason="x", by=author, on=EARLY, at=at(EARLY))
    undo(registered, author)

    entries = list(registered.log_entries.order_by("pk"))
    line = time_line(entries, [], progress_of(registered, Lists[Any](), today=BEFORE))

    assert ["Betaville" in point.why for point in line[:3]] == [False, True, False]


OTHER_EVENT = {"name": "Betaville Blitz", "city": "Betaville", "organiser": "Beta"}
LATE = date(2026, 1, 9)


def change_event(tournament: Tournament, by: Any, on: date) -> None:
    wanted = registered_conditions(tournament, **OTHER_EVENT)
    change_registration(tournament, wanted, reason="x", by=by, on=on, at=at(on))


def test_d_127_undo_after_the_deadline_leads_back_to_no_other_event(
    registered: Tournament, author: Any
) -> None:
    change_event(registered, author, EARLY)

    assert undo(registered, author, LATE) == QC_DECIDES
    assert (state(registered), registered.city) == (("registered", ["register", "change"]), "Betaville")


def test_d_127_late_change_to_another_event_is_undone_and_made_again(
    registered: Tournament, author: Any
) -> None:
    change_event(registered, author, LATE)

    states = [state(registered)[0]]
    for _ in range(3):
        assert undo(registered, author, LATE) == "change"
        states.append(state(registered)[0])
    assert states == ["waiting", "registered", "waiting", "registered"]


@pytest.mark.parametrize("on", [BEFORE, AFTER])
def test_a_change_of_arbiters_is_undone_on_any_day(registered: Tournament, author: Any, on: date) -> None:
    for fide_id in (1_300_001, 1_300_002):
        make.player(fide_id=fide_id, other_titles="FA")
    for deputies in ([1_300_002, 1_300_001], [1_300_001]):
        wanted = replace(registered_conditions(registered), deputy_ids=deputies)
        change_registration(registered, wanted, reason="Ill.", by=author, on=on, at=at(on))

    assert undo(registered, author, on) == "change"
    assert [one.player_id for one in registered.arbiters.all()] == [1_300_002, 1_300_001]


def test_a_withdrawal_that_ended_a_request_is_not_undone(author: Any) -> None:
    tournament = register_tournament(replace(OPEN, **WAIVER), by=author, on=EARLY, at=at(EARLY))
    withdraw_registration(tournament, reason="Hall lost.", by=author, at=at(BEFORE))

    assert undo(tournament, author) == BUILT_ON
    assert state(tournament)[0] == "withdrawn"


def test_d_80_a_request_is_undone_until_the_qc_decides(registered: Tournament, author: Any) -> None:
    asked = request(registered, author)

    assert undo(registered, author, AFTER) == "request"
    asked.refresh_from_db()
    assert (asked.state, asked.decided_by) == (CaseState.WITHDRAWN, author)
    assert state(registered) == ("registered", ["register", "request", "drop"])
    assert waiting_request(registered) is None


def test_d_80_a_request_is_not_undone_once_it_is_decided(registered: Tournament, author: Any) -> None:
    asked = request(registered, author)
    decide_case(asked, CaseState.APPROVED, answer="Fine.", by=None, at=at(AFTER))

    assert undo(registered, author, AFTER) == NOT_THIS


def test_a_return_to_the_arbiter_is_undone_and_the_arbiter_is_told(
    registered: Tournament, author: Any
) -> None:
    handed = returned(registered, author)

    assert undo(registered, author, AFTER) == "send-back"
    sent = Handover.objects.get(file=handed)
    assert (sent.state, sent.answer, sent.decided_by) == ("waiting", "", None)
    assert state(registered)[1] == ["register", "send-back", "keep"]
    told = Notice.objects.filter(recipient=sent.asked_by.email).order_by("pk")
    assert [one.subject.partition(":")[0] for one in told] == ["Report returned", "Report not returned"]


def test_a_return_is_not_undone_once_another_report_waits(registered: Tournament, author: Any) -> None:
    handed = returned(registered, author)
    make.hand_report(registered, number=2, at=at(AFTER))

    assert undo(registered, author, AFTER) == BUILT_ON
    handed.refresh_from_db()
    assert handed.state == "refused"


def test_nobody_undoes_the_step_of_another(registered: Tournament) -> None:
    deputy = make.person("deputy", registered.federation)

    assert undo(registered, deputy) == NOT_OWN
    assert state(registered) == ("registered", ["register"])


def test_a_step_is_not_undone_that_another_follows(registered: Tournament, author: Any) -> None:
    seen = seen_of(registered)
    decide(registered, Action.REFUSE, reason="x", by=author, at=at(BEFORE))

    with refusal() as stale:
        undo_last_step(registered, by=author, on=BEFORE, at=at(BEFORE), seen=seen)

    assert stale.found == ["changed-meanwhile"]
    assert undo(registered, author) == NOT_THIS
