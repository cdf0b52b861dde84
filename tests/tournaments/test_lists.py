"""Which lists exist, which is in force, which is due and which takes a report (6.1.3, D-18)."""

from __future__ import annotations

from datetime import date
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import RatingList
from tournaments.list_dates import (
    closing_date,
    due_list,
    ends_in_time,
    last_day_to_report,
    last_end_due,
    last_end_overdue,
    lists_after,
)
from tournaments.lists import Lists
from tournaments.models import Tournament

DAYS = st.dates(date(2022, 1, 1), date(2035, 12, 31))
FEBRUARY, MARCH, APRIL = date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)


def rapid(*days: date) -> Lists[RatingList]:
    return Lists(RatingList(kind="rapid", date=day) for day in days)


def months(newest: date | None) -> Lists[RatingList]:
    return rapid(*([newest.replace(day=1)] if newest else []))


def ended(end: date, *, is_official: bool = False, upheld_on: date | None = None) -> Tournament:
    return Tournament(kind="rapid", end=end, is_official=is_official, upheld_on=upheld_on)


def test_list_in_force_is_the_newest_on_or_before_the_day() -> None:
    lists = rapid(APRIL, FEBRUARY)

    days = (date(2026, 1, 31), FEBRUARY, MARCH, date(2026, 5, 9))
    found = [lists.in_force("rapid", day) for day in days]

    assert [item and item.date for item in found] == [None, FEBRUARY, FEBRUARY, APRIL]
    assert lists.in_force("blitz", MARCH) is None


def test_neighbours_of_a_list_are_those_of_its_kind() -> None:
    blitz = RatingList(kind="blitz", date=MARCH)
    lists = Lists([*rapid(FEBRUARY, APRIL).newest_first, blitz])
    february, april = lists.on("rapid", FEBRUARY), lists.on("rapid", APRIL)
    assert february
    assert april

    assert (lists.previous(february), lists.previous(blitz), lists.after(april)) == (None, None, None)
    assert [item and item.date for item in (lists.after(february), lists.previous(april))] == [
        APRIL,
        FEBRUARY,
    ]
    assert lists.on("rapid", MARCH) is None


def test_lists_of_a_day_are_those_up_to_it() -> None:
    lists = rapid(FEBRUARY, MARCH, APRIL)

    assert lists.as_of(MARCH).days == [MARCH, FEBRUARY]
    with pytest.raises(LookupError):
        lists.as_of(date(2026, 3, 2))


@given(DAYS, DAYS, st.booleans(), st.none() | DAYS)
def test_first_list_that_can_takes_a_report(
    end: date, accepted: date, is_official: bool, newest: date | None
) -> None:
    lists = months(newest)

    found = lists.expected(ended(end, is_official=is_official), accepted_on=accepted, today=accepted)

    earlier = [day for day in islice(lists_after(end), 200) if day < found]
    assert found.day == 1
    assert not any(
        day >= accepted
        and (newest is None or day > newest.replace(day=1))
        and ends_in_time(end, day, is_official=is_official)
        for day in earlier
    )


@given(DAYS, DAYS, st.none() | DAYS, st.none() | DAYS)
def test_d_76_too_late_is_what_comes_after_the_third_list_was_published(
    end: date, today: date, upheld: date | None, newest: date | None
) -> None:
    third = last_day_to_report(end, upheld)

    is_too_late = months(newest).is_too_late(ended(end, upheld_on=upheld), today)

    assert is_too_late == (newest is not None and today >= third and newest.replace(day=1) >= third)


@given(end=DAYS, today=DAYS)
def test_d_128_last_end_due_is_of_lists_whose_closing_date_has_come(end: date, today: date) -> None:
    assert (end <= last_end_due(today)) == (closing_date(due_list(end)) <= today)
    assert (end <= last_end_overdue(today)) == (due_list(end) <= today)


def test_published_list_takes_nothing_more_on_its_day() -> None:
    tournament = ended(date(2026, 2, 10))

    before = rapid(FEBRUARY).expected(tournament, accepted_on=MARCH, today=MARCH)
    after = rapid(MARCH).expected(tournament, accepted_on=MARCH, today=MARCH)

    assert (before, after) == (MARCH, APRIL)


def test_0_4_lists_are_counted_from_the_day_of_an_upheld_appeal() -> None:
    end, today, lists = date(2025, 12, 10), date(2026, 3, 9), rapid(FEBRUARY)

    as_third = lists.expected(ended(end), accepted_on=today, today=today)
    as_first = lists.expected(ended(end, upheld_on=date(2026, 3, 5)), accepted_on=today, today=today)

    assert (as_third, as_first) == (MARCH, APRIL)


@pytest.mark.parametrize(
    ("today", "published", "following", "coming"),
    [
        pytest.param(date(2026, 2, 27), [FEBRUARY], MARCH, MARCH, id="after the closing date"),
        pytest.param(MARCH, [FEBRUARY], MARCH, APRIL, id="the day of the list"),
        pytest.param(MARCH, [FEBRUARY, MARCH], APRIL, APRIL, id="published"),
        pytest.param(date(2026, 3, 9), [FEBRUARY], MARCH, APRIL, id="late"),
        pytest.param(date(2026, 3, 9), [], APRIL, APRIL, id="no list yet"),
    ],
)
def test_coming_list_of_a_kind(today: date, published: list[date], following: date, coming: date) -> None:
    lists = rapid(*published)

    assert (lists.following("rapid", today), lists.coming("rapid", today)) == (following, coming)
    assert closing_date(MARCH) == date(2026, 2, 26)


def test_list_of_the_month_is_due_until_that_of_each_kind_stands() -> None:
    kinds, blitz = ["rapid", "blitz"], RatingList(kind="blitz", date=MARCH)

    assert Lists[RatingList]().due(kinds, MARCH) is None
    assert rapid(FEBRUARY).due(kinds, date(2026, 3, 9)) == MARCH
    assert rapid(MARCH).due(kinds, date(2026, 3, 9)) == MARCH
    assert Lists([*rapid(MARCH).newest_first, blitz]).due(kinds, date(2026, 3, 9)) is None


def test_months_due_are_those_after_the_older_of_the_newest() -> None:
    lists = Lists([RatingList(kind="rapid", date=FEBRUARY), RatingList(kind="blitz", date=MARCH)])
    today = date(2026, 4, 9)

    assert lists.months_due(["rapid", "blitz"], today) == [MARCH, APRIL]
    assert lists.months_due(["blitz"], today) == [APRIL]
    assert lists.months_due(["standard"], today) == [APRIL]
