"""Which list is published next, which comes, and which takes a report (6.1.3, D-18)."""

from __future__ import annotations

from datetime import date
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.list_calendar import (
    ListCalendar,
    ListCalendars,
    closing_date,
    ends_in_time,
    last_day_to_report,
    lists_after,
)

DAYS = st.dates(date(2022, 1, 1), date(2035, 12, 31))
FEBRUARY, MARCH, APRIL = date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)


def calendar(today: date, *published: date) -> ListCalendar:
    return ListCalendar(today, published=frozenset(published))


@given(DAYS, DAYS, st.booleans(), st.none() | DAYS)
def test_first_list_that_can_takes_a_report(
    end: date, accepted: date, is_official: bool, newest: date | None
) -> None:
    lists = calendar(accepted, *([newest.replace(day=1)] if newest else []))

    found = lists.list_for(end, is_official=is_official, accepted_on=accepted)

    earlier = [day for day in islice(lists_after(end), 200) if day < found]
    assert found.day == 1
    assert not any(
        day >= accepted
        and (lists.newest is None or day > lists.newest)
        and ends_in_time(end, day, is_official=is_official)
        for day in earlier
    )


@given(DAYS, DAYS, st.none() | DAYS, st.none() | DAYS)
def test_d_76_too_late_is_what_comes_after_the_third_list_was_published(
    end: date, today: date, upheld: date | None, newest: date | None
) -> None:
    lists = calendar(today, *([newest.replace(day=1)] if newest else []))
    third = last_day_to_report(end, upheld)

    assert lists.is_too_late(end, upheld) == (today >= third and lists.has_reached(third))


def test_published_list_takes_nothing_more_on_its_day() -> None:
    before = calendar(MARCH, FEBRUARY).list_for(date(2026, 2, 10), is_official=False, accepted_on=MARCH)
    after = calendar(MARCH, MARCH).list_for(date(2026, 2, 10), is_official=False, accepted_on=MARCH)

    assert (before, after) == (MARCH, APRIL)


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
def test_calendar_of_a_kind(today: date, published: list[date], following: date, coming: date) -> None:
    lists = calendar(today, *published)

    assert (lists.following, lists.coming) == (following, coming)
    assert lists.closing == closing_date(coming)


def test_months_to_publish_are_those_after_the_older_of_the_newest() -> None:
    lists = ListCalendars(
        date(2026, 4, 9), by_kind={"rapid": calendar(APRIL, FEBRUARY), "blitz": calendar(APRIL, MARCH)}
    )

    assert lists.months_to_publish(["rapid", "blitz"]) == [MARCH, APRIL]
    assert lists.months_to_publish(["blitz"]) == [APRIL]
    assert lists.months_to_publish(["standard"]) == [APRIL]
