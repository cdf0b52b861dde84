"""Deadline mails: on which days, to whom, and never twice (8.1)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from players.models import Notice
from tests import make
from tournaments.reminders import remind

pytestmark = [pytest.mark.django_db, pytest.mark.page]


def morning(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 6, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("end", "today", "mails"),
    [
        pytest.param(date(2026, 3, 10), date(2026, 3, 24), 1, id="seven days before 31 March"),
        pytest.param(date(2026, 3, 10), date(2026, 3, 25), 0, id="six"),
        pytest.param(date(2026, 3, 10), date(2026, 3, 31), 1, id="the day itself, a month's end"),
        pytest.param(date(2024, 2, 10), date(2024, 2, 28), 1, id="leap year: one day before 29 February"),
        pytest.param(date(2026, 2, 10), date(2026, 2, 28), 1, id="no leap year: the day itself"),
        pytest.param(date(2026, 12, 10), date(2026, 12, 31), 1, id="31 December"),
        pytest.param(date(2026, 3, 10), date(2026, 6, 1), 1, id="the third list, the last day of all"),
        pytest.param(date(2026, 3, 10), date(2026, 6, 2), 0, id="after the last day of all"),
    ],
)
def test_reminded_on_the_days_before(end: date, today: date, mails: int) -> None:
    federation = make.federation(code="SUI")
    make.appointment(role="officer", federation=federation)
    make.appointment(role="officer", federation=make.federation(code="AUT"))
    make.tournament(federation=federation, start=end, end=end, registered_on=end - timedelta(days=9))
    assert [remind(at=morning(today)), Notice.objects.count()] == [mails, mails]
    Notice.objects.update(attempts=1)
    assert [remind(at=morning(today)), Notice.objects.count()] == [0, mails]


def test_one_mail_a_person_with_all_federations() -> None:
    officer = make.person("officer", "SUI")
    make.appointment(user=officer, role="deputy", federation=make.federation(code="AUT"))
    day = date(2026, 3, 10)
    for code in ("SUI", "AUT"):
        make.tournament(
            name=f"Open {code}",
            federation=make.federation(code=code),
            start=day,
            end=day,
            registered_on=day,
        )
    assert remind(at=morning(date(2026, 3, 30))) == 1
    text = Notice.objects.get().text
    assert [text.count("Open SUI"), text.count("Open AUT"), text.count("1 day left.")] == [1, 1, 2]
    assert text.count("Tuesday, 31 March 2026") == 2


@pytest.mark.parametrize(
    "facts", [{"is_official": True}, {"decided_by": "council", "decision_reference": "Minutes 4"}]
)
def test_staff_are_reminded_of_what_no_federation_reports(facts: dict[str, object]) -> None:
    federation = make.federation(code="SUI")
    make.appointment(role="officer", federation=federation)
    staff = make.person("staff")
    day = date(2026, 3, 10)
    make.tournament(
        name="Open Championship", federation=federation, start=day, end=day, registered_on=day, **facts
    )

    assert remind(at=morning(date(2026, 3, 30))) == 1
    notice = Notice.objects.get()
    assert (notice.recipient, notice.text.count("Open Championship")) == (staff.email, 1)


def test_staff_hear_nothing_of_what_federations_report() -> None:
    make.appointment(role="staff")
    day = date(2026, 3, 10)
    make.tournament(start=day, end=day, registered_on=day)

    assert remind(at=morning(date(2026, 3, 30))) == 0
