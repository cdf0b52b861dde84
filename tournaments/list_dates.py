"""Dates of lists, and the days of tournaments and reports that follow from them (FIDE R&B 2024, 6.1.3, 8.1)."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

CLOSING_DAYS = 3
DAYS_LEFT_OF_MONTH = 5


def closing_date(list_date: date) -> date:
    """Return the closing date of a list: 2026-02-26 for 2026-03-01 (6.1.3)."""
    return list_date - timedelta(days=CLOSING_DAYS)


def ends_in_time(end: date, list_date: date, *, is_official: bool) -> bool:
    """Return whether a tournament may be on a list by its last day; official events may end the day before (6.1.3)."""
    return end < list_date if is_official else end <= closing_date(list_date)


def lists_after(day: date) -> Iterator[date]:
    """Yield the dates of the lists after a day, without end: the firsts of the months."""
    first = day.replace(day=1)
    while True:
        # From a 1st, 31 days lead into the next month, whatever its length.
        first = (first + timedelta(days=31)).replace(day=1)
        yield first


def due_list(end: date) -> date:
    """Return the list for which the report is due (8.1): the next, or the one after where few days are left."""
    left = monthrange(end.year, end.month)[1] - end.day
    return next(islice(lists_after(end), 1 if left <= DAYS_LEFT_OF_MONTH else 0, None))


def last_end_due(today: date) -> date:
    """Return the latest last day of tournaments whose list is due: by today its closing date has come (6.1.3, 8.1)."""
    first = next(lists_after(today))
    return last_end_overdue(first if closing_date(first) <= today else today)


def last_end_overdue(today: date) -> date:
    """Return the latest last day of tournaments whose list is published by today: their reports are overdue (8.1)."""
    return today.replace(day=1) - timedelta(days=DAYS_LEFT_OF_MONTH + 2)


def last_day_to_report(end: date, upheld_on: date | None = None) -> date:
    """Return the third list after the last day, whose publication ends the time for a report (8.1, D-76).

    An upheld appeal starts a new period on the day of its decision, even after the third list (0.4).
    """
    return next(islice(lists_after(end if upheld_on is None else max(end, upheld_on)), 2, None))
