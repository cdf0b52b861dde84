"""When a list can be published: its date (D-70), and the lists of its kind before it (D-71)."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.core.management import call_command
from django.test import Client

from core.stated import items_of
from ratings import tasks
from ratings.choices import SENTENCES, RunState, Work
from ratings.lists import read_lists
from ratings.models import RatingList, Run
from ratings.publish.publish import publication_refusals, publish_list, publish_lists
from tests import make
from tests.codes import refusal

pytestmark = [pytest.mark.django_db, pytest.mark.page]
JANUARY, FEBRUARY, MARCH, APRIL = (date(2026, month, 1) for month in (1, 2, 3, 4))
TODAY = date(2026, 11, 22)


@pytest.fixture
def begun() -> None:
    """Both lists of January, as FIDE made them."""
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind)


def reasons(list_date: date, *, today: date = TODAY) -> list[str]:
    """Return the codes of why a month is not published, the same before it tries and when it does."""
    refusals = publication_refusals(read_lists(), list_date, today=today)
    with refusal() as refused:
        publish_lists(list_date, by=None, at=make.noon(today))
    assert refused.found == [one.code for one in refusals]
    assert not RatingList.objects.filter(origin="published").exists()
    return refused.found


@pytest.mark.parametrize(
    ("list_date", "meant"),
    [(date(2062, 12, 1), None), (date(2027, 3, 1), "2026-03-01"), (date(2026, 12, 1), None)],
)
def test_d_70_list_of_the_future_is_refused(begun: None, list_date: date, meant: str | None) -> None:
    assert reasons(list_date) == ["future-list-D-70"]
    (future,) = publication_refusals(read_lists(), list_date, today=TODAY)
    assert [item["meant"] for item in items_of(future.message)[1:]] == ([meant] if meant else [])


def test_d_70_list_of_today_is_published(begun: None) -> None:
    made = publish_lists(FEBRUARY, by=None, at=datetime(2026, 2, 1, 0, 0, tzinfo=UTC))
    assert [item.is_new for item in made] == [True, True]


def test_d_70_eve_of_the_list_is_too_early(begun: None) -> None:
    assert reasons(FEBRUARY, today=date(2026, 1, 31)) == ["future-list-D-70"]


def test_d_71_oldest_missing_month_is_named(begun: None) -> None:
    assert reasons(APRIL) == ["month-missing-D-71"] * 2
    assert [items_of(one.message) for one in publication_refusals(read_lists(), APRIL, today=TODAY)] == [
        [{"code": "month-missing-D-71", "kind": kind, "date": "2026-04-01", "missing": "2026-02-01"}]
        for kind in ("rapid", "blitz")
    ]


def test_d_71_first_list_follows_an_imported_one() -> None:
    make.rating_list(kind="rapid")
    assert reasons(FEBRUARY) == ["no-list-before-D-71"]


def test_d_71_one_list_is_refused_as_both_are(begun: None) -> None:
    with refusal() as refused:
        publish_list("rapid", MARCH, by=None, at=make.noon(TODAY))
    assert refused.found == ["month-missing-D-71"]
    assert publish_list("rapid", FEBRUARY, by=None, at=make.noon(TODAY)).is_new


def test_d_71_list_before_a_later_one_is_refused(begun: None) -> None:
    for kind in ("rapid", "blitz"):
        make.rating_list(kind=kind, date=MARCH)
    assert reasons(FEBRUARY) == ["later-list-published"] * 2


def test_d_71_list_that_is_there_is_returned_again(begun: None) -> None:
    publish_lists(FEBRUARY, by=None, at=make.noon(TODAY))
    publish_lists(MARCH, by=None, at=make.noon(TODAY))
    assert [item.is_new for item in publish_lists(FEBRUARY, by=None, at=make.noon(TODAY))] == [False, False]


def test_d_70_and_d_71_command_ends_with_1(begun: None) -> None:
    for asked, said in (("2062-12-01", "later than today"), ("2026-03-01", "1 February 2026 is missing")):
        with pytest.raises(make.RefusedCommandError) as refused:
            make.run("publish_lists", asked)
        answer = refused.value.args[0]
        assert (answer["published"], said in answer["reasons"][0]) == ([], True)


def test_6_1_command_takes_a_date_and_nothing_else(begun: None) -> None:
    with pytest.raises(Exception, match="is not a date") as wrong:
        call_command("publish_lists", "soon")
    assert wrong.type.__name__ == "CommandError"


@pytest.mark.parametrize("month", ["2062-12-01", "2026-04-01"])
def test_d_70_and_d_71_admin_publishes_none_of_these(begun: None, month: str) -> None:
    staff = Client()
    with time_machine.travel(make.noon(TODAY)):
        staff.force_login(make.person("staff"))
        answer = staff.post("/admin/ratings/ratinglist/publish/", {"month": month})
    assert answer.status_code == 200
    assert not Run.objects.filter(work=Work.PUBLISH).exists()


def test_d_71_dashboard_and_admin_say_which_month_is_missing(begun: None) -> None:
    staff = Client()
    with time_machine.travel(make.noon(date(2026, 4, 9))):
        staff.force_login(make.person("staff"))
        pages = [
            staff.get(address).content.decode()
            for address in ("/admin/ratings/ratinglist/publish/?month=2026-04-01", "/desk/")
        ]
    missing = SENTENCES.state("month-missing-D-71", kind="rapid", date=APRIL, missing=FEBRUARY)
    assert all(missing in page for page in pages)


def due_at(at: datetime) -> list[tuple[str, str]]:
    """Have the task look at an instant, and return the publications that are due then."""
    with time_machine.travel(at):
        tasks.publish_due_lists()
    rows = Run.objects.filter(work=Work.PUBLISH).order_by("subject")
    return list(rows.values_list("subject", "state"))


@pytest.mark.parametrize("day", [date(2026, 2, 1), date(2026, 2, 2), date(2026, 2, 28)])
def test_task_finds_a_list_due_on_any_day(begun: None, day: date) -> None:
    assert due_at(make.noon(day)) == [("blitz 2026-02-01", RunState.DUE), ("rapid 2026-02-01", RunState.DUE)]


def test_task_leaves_what_is_under_way_and_tries_again_what_failed(begun: None) -> None:
    due_at(make.noon(FEBRUARY))
    Run.objects.update(state=RunState.RUNNING, attempts=1)
    assert {state for _, state in due_at(make.noon(FEBRUARY))} == {RunState.RUNNING}
    Run.objects.update(state=RunState.FAILED, attempts=5)
    assert {state for _, state in due_at(make.noon(FEBRUARY))} == {RunState.DUE}


def test_d_71_task_publishes_no_month_after_a_gap(begun: None) -> None:
    assert due_at(make.noon(MARCH)) == []


def test_beat_looks_for_due_lists_every_hour(settings: Any) -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["publish-due-lists"]["schedule"]
    assert (entry.minute, entry.hour, entry.day_of_month) == ({10}, set(range(24)), set(range(1, 32)))
