"""What stands between a tournament and the list; `cast.py` has it state by state."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import pytest

from core.html.dates import day_text
from core.stated import stated_items
from players.models import Case, LogEntry
from ratings.models import RatingList
from tests import make
from tournaments.lists import Lists
from tournaments.models import Report, Tournament
from tournaments.portal_reasons import SENTENCES
from tournaments.progress import ProgressFacts, compute_progress, shown_state
from tournaments.steps import Progress, StepState, public_tasks, tasks
from tournaments.time_line import time_line

pytestmark = pytest.mark.page

ENDED = date(2026, 3, 1)


def tournament(**facts: Any) -> Tournament:
    built: Tournament = make.TournamentFactory.build(
        event_id="SUI-1", **({"start": ENDED, "end": ENDED} | facts)
    )
    return built


def version(number: int, *, has_errors: bool) -> Report:
    return Report(version=number, state="checked", submitted_at=make.noon(ENDED), has_errors=has_errors)


def progress_on(today: date, *, newest: date | None = None, facts: Any = (), **more: Any) -> Progress:
    made = tournament(**dict(facts))
    published = [RatingList(kind=made.kind, date=newest, published_at=make.noon(newest))] if newest else []
    lists = Lists(published)
    return compute_progress(ProgressFacts(tournament=made, lists=lists, today=today, **more))


@pytest.mark.parametrize(
    ("today", "task"),
    [(date(2026, 2, 26), "coming"), (date(2026, 2, 27), "play"), (date(2026, 3, 2), "upload")],
)
def test_readers_are_not_asked_to_do_the_work_of_the_officer(db: None, today: date, task: str) -> None:
    first, last = (ENDED, ENDED) if task == "upload" else (date(2026, 2, 27), date(2026, 2, 28))
    progress = progress_on(today, facts={"start": first, "end": last})
    everybody = progress.for_everybody()

    assert progress.step.task == tasks()[task]
    assert (everybody.step.task, everybody.step.owner) == (public_tasks()[task], None)
    # It is told once: the time line names the steps.
    assert {step.task for step in everybody.ahead} == {""}


@pytest.mark.parametrize(
    ("today", "newest", "code"),
    [
        (date(2026, 6, 1), date(2026, 5, 1), "upload"),
        (date(2026, 6, 1), date(2026, 6, 1), "missed"),
        (date(2026, 6, 9), date(2026, 5, 1), "upload"),
        (date(2026, 6, 9), None, "upload"),
        (date(2026, 6, 9), date(2026, 6, 1), "missed"),
    ],
)
def test_d_76_report_is_in_time_until_the_third_list_is_published(
    db: None, today: date, newest: date | None, code: str
) -> None:
    step = progress_on(today, newest=newest).step

    assert (step.code, step.deadline) == (code, date(2026, 6, 1) if code == "upload" else None)


def test_0_4_upheld_appeal_opens_the_time_for_every_step(db: None) -> None:
    facts = {"start": date(2026, 1, 10), "end": date(2026, 1, 11), "upheld_on": date(2026, 7, 2)}

    found = progress_on(date(2026, 7, 3), facts=facts)

    assert (found.step.code, found.step.deadline, found.days.last_day) == (
        "upload",
        date(2026, 10, 1),
        date(2026, 10, 1),
    )


def test_8_1_no_list_is_told_before_the_report_is_due_for_acceptance(db: None) -> None:
    found = progress_on(date(2026, 11, 20), facts={"start": date(2026, 10, 4), "end": date(2026, 10, 4)})

    assert found.expected_list == date(2026, 12, 1)
    assert [found.deadline_of(code) for code in ("upload", "accept", "publish")] == [date(2027, 1, 1)] * 3


NOV, DEC, JAN = date(2026, 11, 1), date(2026, 12, 1), date(2027, 1, 1)


@pytest.mark.parametrize(
    ("end", "today", "newest", "expected", "deadline", "missed"),
    [
        # Played shortly before the list: due a month later, but the coming list takes it for four days more.
        (date(2026, 11, 26), date(2026, 11, 26), NOV, DEC, date(2026, 11, 30), None),
        (date(2026, 11, 26), date(2026, 11, 30), NOV, DEC, date(2026, 11, 30), None),
        # The list is being prepared, and is published late.
        (date(2026, 11, 26), DEC, NOV, JAN, date(2026, 12, 31), (DEC, True)),
        (date(2026, 11, 26), date(2026, 12, 3), NOV, JAN, date(2026, 12, 31), (DEC, True)),
        (date(2026, 11, 26), DEC, DEC, JAN, date(2026, 12, 31), (DEC, False)),
        # Ended too late for the coming list.
        (date(2026, 11, 29), date(2026, 11, 30), NOV, JAN, date(2026, 12, 31), None),
        (date(2026, 11, 29), DEC, NOV, JAN, date(2026, 12, 31), None),
        # The third list takes it until it is published.
        (date(2026, 10, 4), date(2026, 12, 31), DEC, JAN, date(2026, 12, 31), (DEC, False)),
        (date(2026, 10, 4), JAN, DEC, JAN, JAN, (DEC, False)),
        (date(2026, 10, 4), date(2027, 1, 2), DEC, JAN, date(2027, 1, 2), (DEC, False)),
    ],
)
@pytest.mark.parametrize("there", ["nothing", "errors", "clean", "sent", "returned"])
def test_the_expected_list_is_the_first_whose_deadline_is_ahead(
    db: None,
    there: str,
    end: date,
    today: date,
    newest: date,
    expected: date,
    deadline: date,
    missed: tuple[date, bool] | None,
) -> None:
    came = make.noon(end)
    clean = Report(version=1, state="checked", submitted_at=came, has_errors=False)
    of_state: dict[str, dict[str, Any]] = {
        "errors": {"reports": [Report(version=1, state="checked", submitted_at=came, has_errors=True)]},
        "clean": {"reports": [clean]},
        "sent": {"cases": [Case(kind="handed", asked_at=came)]},
    }

    found = progress_on(today, newest=newest, facts={"start": end, "end": end}, **of_state.get(there, {}))

    assert (found.expected_list, found.report_deadline) == (expected, deadline)
    assert (found.missed_list, found.is_missed_prepared) == (missed or (None, False))
    # The days to decide belong to no list.
    decide_by = end + timedelta(days=14) if there in ("clean", "sent") else None
    assert (found.decide_by, found.next_deadline) == (decide_by, min(decide_by or deadline, deadline))


@pytest.mark.parametrize(
    ("steps", "today", "code"),
    [
        ([], (2026, 6, 9), "missed"),
        # As many days as were left when the officer asked, one at least and 14 at most.
        ([("request", 5, 30), ("deny", 6, 5)], (2026, 6, 7), "accept"),
        ([("request", 5, 30), ("grant", 6, 5)], (2026, 6, 8), "missed"),
        ([("request", 6, 1), ("grant", 6, 5)], (2026, 6, 6), "accept"),
        ([("request", 4, 20), ("deny", 6, 5)], (2026, 6, 19), "accept"),
        ([("request", 4, 20), ("deny", 6, 5)], (2026, 6, 20), "missed"),
        ([("request", 5, 30), ("refuse", 5, 31), ("restore", 6, 5)], (2026, 6, 8), "missed"),
        ([("request", 5, 30), ("drop", 6, 5)], (2026, 6, 9), "missed"),
        ([("request", 5, 20), ("deny", 5, 30)], (2026, 6, 9), "missed"),
        ([("request", 6, 2), ("deny", 6, 5)], (2026, 6, 9), "missed"),
        ([("withdraw", 5, 30), ("restore", 6, 5)], (2026, 6, 19), "accept"),
        ([("hold", 5, 20), ("refuse", 5, 22), ("allow", 5, 24)], (2026, 6, 9), "missed"),
    ],
)
def test_d_128_only_what_others_held_up_is_accepted_after_the_third_list(
    db: None, steps: list[tuple[str, int, int]], today: tuple[int, int, int], code: str
) -> None:
    states = {"withdraw": "withdrawn", "refuse": "refused"}
    entries = [
        LogEntry(
            action="question" if action == "hold" else action,
            after=states.get(action, "registered"),
            at=make.noon(date(2026, *day)),
        )
        for action, *day in steps
    ]
    found = {
        has_errors: progress_on(
            date(*today),
            newest=date(2026, 6, 1),
            reports=[version(1, has_errors=has_errors)],
            log_entries=entries,
        )
        for has_errors in (False, True)
    }

    assert (found[False].step.code, found[True].step.code) == (code, "missed")
    assert found[False].expected_list == (date(2026, 7, 1) if code == "accept" else None)


def test_d_128_a_newer_version_gives_no_more_days_to_accept(db: None) -> None:
    newer = Report(version=2, state="checked", submitted_at=make.noon(date(2026, 3, 14)), has_errors=False)

    found = progress_on(date(2026, 3, 16), reports=[version(1, has_errors=False), newer])

    assert (found.step.code, found.decide_by) == ("accept", date(2026, 3, 15))


def test_time_line_goes_from_what_was_done_to_what_is_ahead(db: None) -> None:
    entries = [
        entry("register", make.noon(date(2026, 2, 1)), SENTENCES.state("late", words="A new hall.")),
        entry("allow", make.noon(date(2026, 2, 3)), "By the minutes."),
    ]
    reports = [Report(version=1, state="checked", file_name="a.trf", submitted_at=make.noon(ENDED))]
    progress = progress_on(date(2026, 3, 4), log_entries=entries, reports=[version(1, has_errors=True)])

    line = time_line(entries, reports, progress)

    assert [point.state for point in line] == ["done", "done", "done", "now", "next", "next"]
    assert "1" in line[2].what
    assert [(point.why, point.words) for point in line[:2]] == [
        (str(SENTENCES.say("late")), "A new hall."),
        ("", "By the minutes."),
    ]
    # A correction after the acceptance is one act: its version is accepted at the instant at which it is made.
    fixed = Report(version=2, state="accepted", corrected_from_id=1, submitted_at=make.noon(ENDED))
    (accepted, *_ahead) = time_line([entry("accept", make.noon(ENDED))], [fixed], progress)
    assert "2" in accepted.what
    assert line[3].what == progress.step.task
    rated = progress_on(date(2026, 3, 4), facts={"stage": "rated"})
    assert time_line([], [], rated)[0].what == rated.step.what != rated.step.task
    running = progress_on(date(2026, 3, 4), facts={"stage": "reported"})
    assert time_line([], [], running)[0].what == running.step.task
    assert (line[3].why, line[5].why) == (
        "until Tue 31 Mar 2026",
        "Expected list: April 2026",
    )
    # The day is the one that the task names, the last before the expected list.
    played = {"start": date(2026, 2, 10), "end": date(2026, 2, 10)}
    near = progress_on(date(2026, 2, 20), facts=played, reports=[version(1, has_errors=False)])
    assert time_line([], [], near)[0].why == "until Sat 28 Feb 2026"


def test_players_of_an_entry_list_are_counted_and_named(db: None) -> None:
    make.player(fide_id=101, name="Ada, Alder")
    entered = entry("enter", make.noon(ENDED))
    entered.changes = [{"field": "entries", "before": [101], "after": [101, 102]}]

    line = time_line([entered], [], progress_on(ENDED, log_entries=[entered]))

    assert [names for _, names in line[0].named] == ["Ada, Alder; 102", "Ada, Alder"]
    assert "101" not in line[0].why


def test_a_request_at_the_qc_stops_no_report(db: None) -> None:
    waiting = [Case(kind="request"), Case(kind="handed", asked_at=make.noon(ENDED))]
    clean = [version(1, has_errors=False)]

    sent = progress_on(date(2026, 3, 4), reports=clean, cases=waiting)
    checked = progress_on(date(2026, 3, 4), reports=clean, cases=waiting[:1])

    assert [(one.step.code, one.report_step, one.is_report_open) for one in (sent, checked)] == [
        ("request", "take", True),
        ("request", "accept", False),
    ]
    assert [step.code for step in checked.ahead] == ["request", "accept", "rate", "publish"]
    ahead = time_line([], clean, replace(checked, decide_by=date(2026, 3, 7)))[-3]
    assert ahead.why == f"until {day_text(date(2026, 3, 7))}"


def test_after_a_refusal_nothing_is_ahead(db: None) -> None:
    entries = [entry("refuse", make.noon(ENDED))]

    line = time_line(entries, [], progress_on(ENDED, facts={"registration": "refused"}, log_entries=entries))

    assert [(point.what, point.state) for point in line] == [("Refused", "over")]


def entry(action: str, at: datetime, reason: str = "") -> LogEntry:
    stated = stated_items(reason)
    return LogEntry(area="tournament", action=action, after="registered", at=at, reason=reason, stated=stated)


@pytest.mark.parametrize(
    ("today", "state"), [(date(2026, 3, 17), StepState.NOW), (date(2026, 3, 18), StepState.OVER)]
)
def test_0_4_time_for_an_appeal_that_nobody_submitted_is_over(
    db: None, today: date, state: StepState
) -> None:
    decided = entry("not-rate", make.noon(date(2026, 3, 10)), "No arbiter.")
    facts = {"registration": "not-rated", "stage": "rated"}

    steps = progress_on(today, facts=facts, log_entries=[decided]).steps
    [appeal] = [step for step in steps if step.code == "appeal"]

    # Nothing is announced that a decision not to rate excludes.
    if state == StepState.NOW:
        assert StepState.NEXT not in {step.state for step in steps}
    assert (appeal.state, appeal.deadline) == (state, date(2026, 3, 17) if state == StepState.NOW else None)


@pytest.mark.parametrize(
    ("upheld_on", "stage", "state"),
    [(None, "planned", "approved"), (ENDED, "planned", "upheld"), (ENDED, "rated", "rated")],
)
def test_0_4_what_council_upheld_is_not_called_approved(
    upheld_on: date | None, stage: str, state: str
) -> None:
    assert shown_state(tournament(registration="approved", upheld_on=upheld_on, stage=stage)) == state
