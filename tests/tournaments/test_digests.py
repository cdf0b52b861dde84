"""The weekly digest: to whom something waits, once a UTC week, and never against somebody's wish."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.utils.translation import override

from players.choices import NoticeKind
from players.models import Notice, NoticePreference
from tests import make
from tournaments.reminders import send_digests, week_of
from tournaments.steps import tasks

pytestmark = [pytest.mark.django_db, pytest.mark.page, pytest.mark.slow]
MONDAY = datetime(2026, 3, 9, 5, 30, tzinfo=UTC)


@pytest.fixture
def officer() -> object:
    held = make.appointment(role="officer", federation=make.federation(code="SUI"))
    make.tournament(name="Öpen & Co", federation=held.federation, start=date(2026, 3, 1))
    return held.user


def test_a_digest_says_what_is_due(officer: object) -> None:
    make.appointment(role="officer", federation=make.federation(code="AUT"))
    make.user()

    assert send_digests(at=MONDAY) == 1

    notice = Notice.objects.get()
    assert (notice.user, notice.kind, notice.key) == (officer, NoticeKind.DIGEST, "digest:2026-W11")
    lines = [line.strip() for line in notice.text.splitlines()]
    assert lines[lines.index("Reports due") + 2].startswith("* Öpen & Co (")
    assert lines[lines.index("Reports due") + 2].endswith(", 22 days left")
    assert [sum(day in line for line in lines) for day in ("31 March 2026", "1 June 2026")] == [1, 1]
    # What belongs to an item of the list is indented under it.
    assert re.search("\n  [^\n]*: Monday, 1 June 2026\n  [^\n]*: April 2026", notice.text)


def test_a_digest_is_in_the_language_of_its_reader(officer: object) -> None:
    type(officer)._default_manager.update(language="de")  # type: ignore[attr-defined]
    send_digests(at=MONDAY)
    with override("de"):
        task = tasks()["upload"]
    assert task in Notice.objects.get().text


@pytest.mark.parametrize(
    ("again", "mails"),
    [
        pytest.param(datetime(2026, 3, 9, 8, 30, tzinfo=UTC), 1, id="the same morning"),
        pytest.param(datetime(2026, 3, 15, 23, 59, tzinfo=UTC), 1, id="the same week"),
        pytest.param(datetime(2026, 3, 16, 0, 0, tzinfo=UTC), 2, id="the next week"),
    ],
)
def test_nobody_gets_two_a_week(officer: object, again: datetime, mails: int) -> None:
    send_digests(at=MONDAY)
    Notice.objects.update(attempts=1)
    send_digests(at=again)

    assert Notice.objects.count() == mails


def test_somebody_with_two_roles_gets_one(officer: object) -> None:
    make.appointment(user=officer, role="deputy", federation=make.federation(code="AUT"))

    assert (send_digests(at=MONDAY), Notice.objects.count()) == (1, 1)


def test_who_turned_it_off_gets_none(officer: object) -> None:
    NoticePreference.objects.create(user=officer, kind=NoticeKind.DIGEST)

    assert (send_digests(at=MONDAY), Notice.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("day", "week"),
    [
        (date(2026, 12, 31), "2026-W53"),
        (date(2027, 1, 1), "2026-W53"),
        (date(2027, 1, 4), "2027-W01"),
        (date(2024, 2, 29), "2024-W09"),
    ],
)
def test_weeks_run_over_the_turn_of_the_year(day: date, week: str) -> None:
    assert week_of(day) == week
