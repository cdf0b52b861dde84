"""Days and limits for registrations and appeals, and what is rapid or blitz: articles 0.2, 0.4, 1.1 and 3.1.

Plain functions of days; all days are UTC days. The clock is the caller's.
"""

from __future__ import annotations

from datetime import date, timedelta

from tournaments.trf.time_control import classify

REGISTRATION_DAYS = 3
APPEAL_DAYS = 7
DAYS_TO_ACCEPT = 14
PRESIDENT_AVERAGE = 2700
ROUNDS_A_DAY = {"rapid": 15, "blitz": 30}


def kind_of(total_seconds: int) -> str | None:
    """Return `rapid` or `blitz` for the time of 60 moves in seconds, None for neither (1.1.1, 1.1.2)."""
    kind = classify(total_seconds)
    return kind if kind in ROUNDS_A_DAY else None


def is_registered_in_time(start: date, registered_on: date) -> bool:
    """Return whether there are three days or more before the first day (0.2)."""
    return (start - registered_on).days >= REGISTRATION_DAYS


def last_day_to_register(start: date) -> date:
    """Return the last day on which a registration is on time (0.2)."""
    return start - timedelta(days=REGISTRATION_DAYS)


def last_day_to_accept(since: date) -> date:
    """Return the last day to accept a report without errors that came, or came free, on a day (D-128)."""
    return since + timedelta(days=DAYS_TO_ACCEPT)


def may_appeal(communicated_on: date, on: date) -> bool:
    """Return whether an appeal on a day is in time: up to the 7th day after the communication (0.4)."""
    return communicated_on <= on <= appeal_ends(communicated_on)


def appeal_ends(communicated_on: date) -> date:
    """Return the last day of an appeal; the 7th day still counts (0.4)."""
    return communicated_on + timedelta(days=APPEAL_DAYS)
