"""Days and months in short words: names from CLDR, their order as each language writes it."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from babel.dates import format_date
from django.utils.translation import get_language, pgettext


def weekday_date(day: date) -> str:
    """Return `Thu 26 Feb 2026`."""
    return _written(day, pgettext("date", "EEE d MMM y"), get_language())


def weekday_day(day: date) -> str:
    """Return `Thu 26`."""
    return _written(day, pgettext("date", "EEE d"), get_language())


def short_date(day: date) -> str:
    """Return `26 Feb 2026`."""
    return _written(day, pgettext("date", "d MMM y"), get_language())


def short_day(day: date) -> str:
    """Return `26 Feb`."""
    return _written(day, pgettext("date", "d MMM"), get_language())


def short_month(day: date) -> str:
    """Return `Feb 2026`."""
    return _written(day, pgettext("date", "MMM y"), get_language())


def month_name(day: date) -> str:
    """Return `Feb`."""
    return _written(day, "MMM", get_language())


@lru_cache(maxsize=4096)
def _written(day: date, pattern: str, language: str | None) -> str:
    """Return the day by a pattern of CLDR."""
    return format_date(day, pattern, locale=(language or "en").replace("-", "_"))
