"""The values that texts of forms and addresses write."""

from __future__ import annotations

from datetime import UTC, date, datetime

# What the keys of rows hold: a database refuses a query for a larger one.
LARGEST_KEY = 2**63 - 1


def read_number(text: str, *, most: int = LARGEST_KEY) -> int | None:
    """Return the whole number of ASCII digits, None for any other text and above `most`."""
    # `int` reads the digits of every script, and refuses texts of thousands of them.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(LARGEST_KEY))
    return int(text) if is_number and int(text) <= most else None


def read_day(text: str) -> date | None:
    """Return the day written YYYY-MM-DD, None for any other text."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    # `fromisoformat` reads 20260201 and 2026-W05-7 too.
    return day if day.isoformat() == text else None


def read_instant(text: str) -> datetime | None:
    """Return the instant of an ISO text, in UTC where it names no offset, a day's first one; None for any other."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
