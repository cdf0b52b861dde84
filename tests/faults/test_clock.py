"""A clock that jumps between a request and what follows from it: nothing is lost, no list of another month comes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from core.errors import RefusedError
from core.tokens import record_use
from players import notices
from players.cases import decide
from players.choices import CaseState, NoticeKind, NoticeState
from players.invitations import invitation_of, invite
from players.models import Notice
from ratings import due_runs, runs, tasks
from ratings.choices import RunState, Work
from ratings.models import RatingList, Run
from tests import make
from tests.faults.conftest import NOW, Undisturbed, all_published_once
from tests.faults.processes import ROUNDS, end, start
from tests.faults.world import MONTH, lists_of_the_month
from tests.outbox import let_pass
from tests.trf_files import Event
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Verb
from tournaments.information_requests import ask_for_information
from tournaments.models import OfficerToken, Report
from tournaments.tokens import issue_token

# What the portal makes of a clock is the same on every database.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.program]
AHEAD, BACK = [timedelta(days=400)], [timedelta(days=-3)]
if ROUNDS:
    AHEAD, BACK = [*AHEAD, timedelta(hours=7)], [*BACK, timedelta(hours=-1), timedelta(days=-400)]


def under_another_clock(at: datetime, work: Callable[[], object]) -> int:
    """Do the work in a process whose clock shows another instant; return the exit status."""

    def there() -> None:
        with time_machine.travel(at):
            work()
            for run in Run.objects.filter(work=Work.PUBLISH, state=RunState.DUE):
                runs.perform_now(run, timezone.now())

    return end(start(there))


def publish_by_tasks() -> None:
    """Do what workers do who are told of the month's lists."""
    for name in due_runs.names_of_month(MONTH):
        tasks.perform(Work.PUBLISH, name)


def sweep_at_once() -> None:
    """Do what the task of the sweep does, and what it gives to workers."""
    runs.sweep(at=timezone.now(), dispatch=runs.perform_now)


@pytest.mark.parametrize("jump", BACK, ids=str)
@pytest.mark.parametrize("state", [RunState.DUE, RunState.FAILED])
def test_d_70_clock_set_back_publishes_once_it_is_right(
    undisturbed: Undisturbed, jump: timedelta, state: RunState
) -> None:
    Run.objects.filter(work=Work.PUBLISH).update(state=state, finished_at=NOW + 2 * jump, attempts=1)

    assert under_another_clock(NOW + jump, publish_by_tasks) != 0
    assert lists_of_the_month() == []
    assert under_another_clock(NOW, tasks.publish_due_lists) == 0

    all_published_once(undisturbed)


@pytest.mark.parametrize("jump", AHEAD, ids=str)
def test_worker_with_another_clock_publishes_the_same_list(undisturbed: Undisturbed, jump: timedelta) -> None:
    assert under_another_clock(NOW + jump, publish_by_tasks) == 0

    all_published_once(undisturbed)


@pytest.mark.parametrize("jump", AHEAD, ids=str)
def test_work_is_swept_up_whatever_the_clock_says_then(undisturbed: Undisturbed, jump: timedelta) -> None:
    Run.objects.filter(work=Work.PUBLISH).update(state=RunState.RUNNING, claimed_at=Now(), attempts=1)
    let_pass(Run.objects.all(), timedelta(minutes=1))

    assert under_another_clock(NOW + jump, sweep_at_once) == 0

    all_published_once(undisturbed)


@pytest.mark.parametrize("jump", AHEAD, ids=str)
def test_what_failed_is_tried_again_whatever_the_clock_says_then(
    undisturbed: Undisturbed, jump: timedelta
) -> None:
    Run.objects.filter(work=Work.PUBLISH).update(
        state=RunState.FAILED, claimed_at=NOW, finished_at=NOW, error="No space left", attempts=1
    )

    assert under_another_clock(NOW + jump, sweep_at_once) == 0

    all_published_once(undisturbed)


@pytest.mark.parametrize(
    ("today", "held"), [(date(2026, 3, 1), True), (date(2027, 5, 1), True), (date(2026, 1, 31), False)]
)
@pytest.mark.usefixtures("played")
def test_clock_that_runs_ahead_publishes_no_list_of_another_month(today: date, held: bool) -> None:
    Run.objects.all().delete()
    noon = datetime.combine(today, datetime.min.time(), tzinfo=UTC) + timedelta(hours=12)

    assert under_another_clock(noon, tasks.publish_due_lists) == 0

    assert not RatingList.objects.filter(date__gte=MONTH).exists()
    staff = Client()
    with time_machine.travel(noon):
        staff.force_login(make.person("staff"))
        page = staff.get("/desk/").content.decode()
    assert ("Check the clock of this machine" in page) == held


@pytest.mark.parametrize(
    "jump", [timedelta(days=-400), timedelta(days=-1), timedelta(0), timedelta(days=400)]
)
def test_mail_goes_out_whatever_the_clock_says_then(jump: timedelta) -> None:
    notices.post(
        to=["ada@portal.example"], kind=NoticeKind.INVITATION, key="a", subject="a", text="b", at=NOW
    )

    notices.sweep(at=NOW + jump)

    assert notices.send(Notice.objects.get().pk, at=NOW + jump)
    assert Notice.objects.get().state == NoticeState.SENT


def test_session_outlives_a_clock_that_goes_back_and_ends_with_one_that_goes_forward() -> None:
    browser = Client()
    statuses = {}
    with time_machine.travel(NOW):
        browser.force_login(make.person("officer"))
    for days in (-400, -3, 0, 7, 400):
        with time_machine.travel(NOW + timedelta(days=days)):
            statuses[days] = browser.get("/desk/").status_code

    assert statuses == {-400: 200, -3: 200, 0: 200, 7: 200, 400: 302}


@pytest.mark.parametrize("days", [-400, -3, 3, 400])
def test_report_is_accepted_or_refused_whatever_the_clock_says_then(days: int) -> None:
    day = NOW.date() - timedelta(days=2)
    event = make.tournament(start=day, end=day)
    players = [(1_300_001 + number, f"Alder, Ada {number}") for number in range(4)]
    for fide_id, name in players:
        make.player(fide_id=fide_id, name=name, federation=event.federation)
    games = [[(1, 2, "1-0"), (3, 4, "1/2")], [(1, 3, "1-0"), (2, 4, "0-1")], [(4, 1, "1-0"), (2, 3, "1-0")]]
    told = f"{day:%Y/%m/%d}"
    paper = Event(players, games, name=event.name, start=told, end=told).content()
    officer = make.person("officer", event.federation)
    place = f"/desk/tournaments/{event.event_id}/report"
    with time_machine.travel(NOW):
        browser = make.browser(officer)
        browser.post(place, {"report": SimpleUploadedFile("open.trf", paper)})

    # A day before the event is over accepts nothing, and costs nothing.
    found = []
    for clock in (days, 0) if days < 0 else (days,):
        with time_machine.travel(NOW + timedelta(days=clock)):
            browser = make.browser(officer)
            sent = {"acknowledgement": "Checked with the arbiter.", "seen": seen_of(event)}
            answer = browser.post(f"{place}s/1/accept", sent)
        found.append((answer.status_code, Report.objects.get().state))

    assert found == [(200, "checked")] * (days < 0) + [(302, "accepted")]
    run = Run.objects.get(work=Work.RATE)
    assert under_another_clock(NOW, lambda: tasks.perform(Work.RATE, run.subject)) == 0
    assert Run.objects.get(work=Work.RATE).state == RunState.DONE


@pytest.mark.parametrize("days", [-400, -3, 3, 400])
def test_an_invitation_lost_on_its_way_is_sent_again_whatever_the_clock_says_then(days: int) -> None:
    officer = make.appointment(role="officer")
    to = {"role": "arbiter", "federation": officer.federation, "by": officer.user}
    then = NOW + timedelta(days=days)
    _, lost = invite("anna@portal.example", at=NOW, **to)

    _, token = invite("anna@portal.example", at=then, **to)

    assert (invitation_of(lost, at=then), invitation_of(token, at=then) is None) == (None, False)
    with pytest.raises(RefusedError, match="You have just invited this person"):
        invite("anna@portal.example", at=then + timedelta(seconds=1), **to)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_token_tells_when_it_was_used_by_the_clock_of_then(days: int) -> None:
    officer = make.appointment(role="officer")
    issue_token(officer.user, officer.federation, name="tool", verbs=[Verb.SUBMIT], at=NOW)
    token = OfficerToken.objects.get()

    for at in (NOW, NOW + timedelta(days=days)):
        record_use(token, at=at)

    token.refresh_from_db()
    assert token.last_used_at == NOW + timedelta(days=days)


@pytest.mark.parametrize("days", [-400, -1, 0, 400])
def test_answer_to_the_qc_follows_its_question(days: int) -> None:
    event = make.tournament(registration="waiting")
    asked = ask_for_information(
        event, "Who was the arbiter?", due_on=NOW.date() + timedelta(days=7), by=None, on=NOW.date(), at=NOW
    )

    decide(asked, CaseState.APPROVED, answer="Anna Arbiter.", by=None, at=NOW + timedelta(days=days))

    asked.refresh_from_db()
    assert asked.decided_at == max(NOW, NOW + timedelta(days=days))


def test_rate_of_calls_is_a_minute_whatever_the_clock_does(db: None) -> None:
    caller = Client()

    def check() -> int:
        return caller.post("/api/v1/reports/check", b"012 Open", "text/plain").status_code

    with time_machine.travel(NOW, tick=False):
        statuses = [check() for _ in range(32)]
    with time_machine.travel(NOW - timedelta(days=3), tick=False):
        back = check()
    with time_machine.travel(NOW + timedelta(minutes=1), tick=False):
        forward = check()

    assert (statuses.count(429), statuses[-2:], back, forward) == (2, [429, 429], 200, 200)


def test_guesses_at_a_password_are_not_forgiven_by_a_clock_that_goes_back() -> None:
    person = make.person("officer")
    browser = Client()

    def guess() -> bool:
        answer = browser.post("/accounts/login/", {"login": person.email, "password": "wrong"})
        return "Too many failed sign-ins" in answer.content.decode()

    with time_machine.travel(NOW):
        refused = [guess() for _ in range(6)]
    with time_machine.travel(NOW - timedelta(days=3)):
        back = guess()
    with time_machine.travel(NOW + timedelta(hours=1)):
        forward = guess()

    assert (refused[0], refused[-1], back, forward) == (False, True, True, False)
