"""Days and limits of the regulations for tournaments and reports: articles 0.2, 1.1, 3.1, 6.1.3 and 8.1.

Plain functions of days; all days are UTC days. The clock is the caller's.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice

from tournaments.trf.time_control import classify

REGISTRATION_DAYS = 3
CLOSING_DAYS = 3
APPEAL_DAYS = 7
DAYS_LEFT_OF_MONTH = 5
PRESIDENT_AVERAGE = 2700
ROUNDS_A_DAY = {"rapid": 15, "blitz": 30}


def kind_of(total_seconds: int) -> str | None:
    """Return `rapid` or `blitz` for the time of 60 moves in seconds, None for neither (1.1.1, 1.1.2)."""
    kind = classify(total_seconds)
    return kind if kind in ROUNDS_A_DAY else None


def is_registered_in_time(start: date, registered_on: date) -> bool:
    """Whether three days or more lie before the first day (0.2)."""
    return (start - registered_on).days >= REGISTRATION_DAYS


def last_day_to_register(start: date) -> date:
    """Return the last day on which a registration is on time (0.2)."""
    return start - timedelta(days=REGISTRATION_DAYS)


def closing_date(list_date: date) -> date:
    """Return the closing date of a list: 2026-02-26 for 2026-03-01 (6.1.3)."""
    return list_date - timedelta(days=CLOSING_DAYS)


def ends_in_time(end: date, list_date: date, *, is_official: bool) -> bool:
    """Whether a tournament that ended on a day may be on a list; official events may end the day before (6.1.3)."""
    return end < list_date if is_official else end <= closing_date(list_date)


def lists_after(day: date) -> Iterator[date]:
    """Yield the dates of the lists after a day, without end: the firsts of the months."""
    first = day.replace(day=1)
    while True:
        first = (first + timedelta(days=31)).replace(day=1)
        yield first


def due_list(end: date) -> date:
    """Return the list for which the report is due (8.1): the next, or the one after where few days are left."""
    left = monthrange(end.year, end.month)[1] - end.day
    return next(islice(lists_after(end), 1 if left <= DAYS_LEFT_OF_MONTH else 0, None))


def third_list(end: date) -> date:
    """Return the third list dated after the last day, the last for which a report may be submitted (8.1)."""
    return next(islice(lists_after(end), 2, None))


def last_day_to_report(end: date, upheld_on: date | None = None) -> date:
    """Return the last day on which a report is taken: the third list's (8.1).

    An upheld appeal opens the time anew from the day of its decision: it may come even after the third (0.4).
    """
    return third_list(end if upheld_on is None else max(end, upheld_on))


def is_submitted_too_late(end: date, submitted_on: date, upheld_on: date | None = None) -> bool:
    """Whether a report came only after the last day for it: it is never rated (8.1, D-18)."""
    return submitted_on > last_day_to_report(end, upheld_on)


def oldest_end_to_report(today: date) -> date:
    """Return the earliest last day of a tournament that can still be reported on a day (8.1)."""
    month = today.year * 12 + today.month - 1 - (3 if today.day == 1 else 2)
    return date(month // 12, month % 12 + 1, 1)


def may_appeal(communicated_on: date, on: date) -> bool:
    """Whether an appeal on a day is in time: up to the 7th day after the communication (0.4)."""
    return communicated_on <= on <= appeal_ends(communicated_on)


def appeal_ends(communicated_on: date) -> date:
    """Return the last day of an appeal; the 7th day still counts (0.4)."""
    return communicated_on + timedelta(days=APPEAL_DAYS)
