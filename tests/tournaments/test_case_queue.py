"""Which cases wait for the QC (D-128)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from tests import make
from tests.tournaments.cast import (
    ENDED,
    LONG_AGO,
    NEWEST_LIST,
    NOW,
    TODAY,
    checked,
    handed_over,
    registered,
)
from tournaments import case_queue
from tournaments.case_queue import case_tasks, cases
from tournaments.choices import Action
from tournaments.lists import Lists
from tournaments.models import Tournament
from tournaments.qc import decide

# Ends on 1 March, so that its list is that of 1 April, which closes on this day.
CLOSING = date(2026, 3, 29)
Make = Callable[[str], Tournament]


def returned(event_id: str) -> Tournament:
    made = registered(**ENDED)(event_id)
    make.hand_report(made, state="refused", at=NOW, sent={"answer": "Not so."})
    return made


@pytest.mark.parametrize(
    ("built", "is_case"),
    [
        (checked("warning", **ENDED), True),
        (checked("error", **ENDED), False),
        (handed_over, True),
        (returned, True),
        (registered(**ENDED), False),
        (checked("warning", **ENDED, stage="reported"), False),
        (checked("warning", **ENDED, registration="not-rated"), False),
    ],
    ids=["clean", "errors", "sent", "returned", "none", "accepted", "decided"],
)
def test_d_128_report_that_nobody_decides_on_is_a_case_from_the_closing_date(
    db: None, built: Make, is_case: bool
) -> None:
    built("SUI-1")

    before = cases(Lists[Any](), date(2026, 3, 28), [])
    found = cases(Lists[Any](), CLOSING, [])

    assert before == []
    assert [(case.event_id, case.code, case.since) for case in found] == (
        [("SUI-1", "undecided", NOW)] if is_case else []
    )
    assert [task.code for task in case_tasks(found, today=CLOSING)] == ["case-undecided"] * is_case


@pytest.mark.parametrize("severity", ["warning", "error"])
def test_d_128_report_is_a_case_after_the_third_list_until_the_qc_decides(db: None, severity: str) -> None:
    """Errors do not decide: nobody lets a result go by uploading them."""
    lapsed = checked(severity, **LONG_AGO)("SUI-1")
    third = Lists([make.RatingListFactory.build(kind="rapid", date=NEWEST_LIST, published_at=NOW)])

    (case,) = cases(third, TODAY, [])
    decide(lapsed, Action.NOT_RATE, reason="It was not accepted in time (8.1).", by=None, at=NOW)

    assert (case.code, case.deadline) == ("undecided", date(2026, 1, 1))
    assert cases(third, TODAY, []) == []


def test_reports_that_nobody_decides_on_never_hide_a_registration(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_queue, "MAX_ROWS", 2)
    for place in range(2):
        handed_over(f"SUI-{place}")
    registered(registration="waiting", start=CLOSING, end=CLOSING)("SUI-LATE")

    found = cases(Lists[Any](), CLOSING, [])

    assert sorted(case.code for case in found) == ["late", "undecided"]


def test_the_task_of_a_case_has_all_days_of_the_tournament(db: None) -> None:
    registered(registration="waiting", start=date(2026, 3, 30), end=date(2026, 4, 1))("SUI-LATE")

    (task,) = case_tasks(cases(Lists[Any](), CLOSING, []), today=CLOSING)

    assert "30 Mar – 1 Apr 2026" in task.why


def test_d_127_changed_registration_is_a_case_of_its_own_with_both_values_and_how_late_it_is(
    db: None,
) -> None:
    first_days = {
        "start": date(2026, 3, 7),
        "registered_on": date(2026, 3, 5),
        "entry_until": date(2026, 3, 8),
    }
    changed = registered(registration="waiting", **first_days)("SUI-CHANGED")
    changes = [{"field": name, "before": "2026-03-06", "after": "2026-03-07"} for name in ("start", "end")]
    changes += [
        {"field": "base_seconds", "before": 900, "after": 1500},
        {"field": "increment_seconds", "before": 10, "after": 10},
        {"field": "time_control_text", "before": "15+10", "after": "25+10"},
    ]
    later = [{"field": "venue", "before": "", "after": "Town hall"}]
    # Of what ended before, one report is overdue: others are due on the last day of March, sent, or due anew.
    for end, facts in (
        ("2026-01-20", {}),
        ("2026-02-25", {}),
        ("2026-01-20", {"upheld_on": date(2026, 2, 25)}),
    ):
        day = date.fromisoformat(end)
        registered(start=day, end=day, registered_on=date(2026, 1, 1), **facts)(f"SUI-{end}{len(facts)}")
    sent = registered(start=day, end=day, registered_on=date(2026, 1, 1))("SUI-SENT")
    make.hand_report(sent, at=NOW)
    closed = (changes, "The hall is closed.")
    make.step(changed, Action.ALLOW, "approved", at=NOW)
    for some, reason in (closed, closed, (later, "The new hall.")):
        make.step(changed, Action.CHANGE, "waiting", at=NOW, changes=some, reason=reason)

    found = case_tasks(cases(Lists[Any](), TODAY, []), today=TODAY)
    task = next(task for task in found if task.about == changed.name)

    assert (task.code, task.sort) == ("case-changed", "registrations")
    # The deadline of the registered first day was 3 March.
    when, change, entries, record, why, earlier = (value for _label, value in task.facts)
    # It was approved once, though it waits again.
    assert re.findall(r"\d+", record)[:4] == ["5", "1", "1", "1"]
    assert "8 March 2026" in entries
    assert (when, earlier, why) == ("1 day late", "The hall is closed.", "The new hall.")
    days = "6 Mar 2026 → 7 Mar 2026"
    assert change == f"First day: {days},\nLast day: {days},\nTime control: 15+10 → 25+10"
