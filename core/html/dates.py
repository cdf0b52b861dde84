"""Days, months and deadlines as pages, mails and feeds write them, in each language."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from babel.dates import format_date
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext, pgettext
from django.utils.translation import gettext as _

from core.html.figures import NONE

DAYS_NEAR = 7
NO_BREAK_SPACE = "\u00a0"
# How values have days and months, and how a page shows them.
_VALUE_FORMATS = {"%Y-%m-%d": "DATE_FORMAT", "%Y-%m": "YEAR_MONTH_FORMAT"}


def list_month(day: date | None) -> str:
    """Return the month of a rating list: `February 2026`."""
    return _month(day, get_language()) if day else NONE


@lru_cache(maxsize=4096)
def _month(day: date, language: str | None) -> str:
    """Return a month in the present language; a page of ten years names several hundred."""
    # `date_format` goes by the active language, which the cache knows only as an argument.
    return date_format(day, "YEAR_MONTH_FORMAT")


def day_in_words(value: str) -> str:
    """Return a day or month, given as `2026-02-01` or `2026-02`, in the language of the page; others as they are."""
    for stored, shown in _VALUE_FORMATS.items():
        with suppress(ValueError):
            return date_format(datetime.strptime(value, stored).date(), shown)  # noqa: DTZ007 - no instant
    return value


def day_text(day: date) -> str:
    """Return a day with its weekday: `Thu 26 Feb 2026`; each language orders and spells it its own way."""
    return _write_day(day, pgettext("date", "EEE d MMM y"), get_language())


def long_day(day: date) -> str:
    """Return a day of an email with its weekday: `Thursday, 26 February 2026`; of an instant with its time."""
    written = _write_day(day, pgettext("date", "EEEE, d MMMM y"), get_language())
    return f"{written}, {day:%H:%M}" if isinstance(day, datetime) else written


def weekday_day(day: date) -> str:
    """Return `Thu 26`."""
    return _write_day(day, pgettext("date", "EEE d"), get_language())


def day_of_month(day: date) -> str:
    """Return `26`."""
    return _write_day(day, pgettext("date", "d"), get_language())


def short_date(day: date) -> str:
    """Return `26 Feb 2026`."""
    return _write_day(day, pgettext("date", "d MMM y"), get_language())


def short_day(day: date) -> str:
    """Return `26 Feb`."""
    return _write_day(day, pgettext("date", "d MMM"), get_language())


def short_month(day: date) -> str:
    """Return `Feb 2026`."""
    return _write_day(day, pgettext("date", "MMM y"), get_language())


def month_name(day: date) -> str:
    """Return `Feb`."""
    return _write_day(day, "MMM", get_language())


@lru_cache(maxsize=4096)
def _write_day(day: date, pattern: str, language: str | None) -> str:
    """Return the day by a pattern of CLDR, with the names and in the order of a language."""
    # Babel has an underscore where Django has a hyphen.
    return format_date(day, pattern, locale=(language or "en").replace("-", "_"))


def day_element(day: date | None) -> SafeString:
    """Return the day as a `<time>` element, which stays on one line."""
    if day is None:
        return format_html("{}", NONE)
    return format_html('<time datetime="{}">{}</time>', day.isoformat(), _unbroken(day_text(day)))


def days_element(start: date, end: date) -> SafeString:
    """Return one day with its weekday, or several: `16–17 Nov 2026`, `30 Nov – 1 Dec 2026`."""
    if start == end:
        return day_element(start)
    first, dash, last = days_text(start, end).partition(" – ")
    if not dash:
        days, _, rest = first.partition(" ")
        # A line may break after a dash, too.
        return format_html('<span class="nowrap">{}</span> {}', days, rest)
    # Where there is no room for one line, it breaks after the dash.
    return format_html("{} {}", _unbroken(f"{first} –"), _unbroken(last))


def days_text(start: date, end: date) -> str:
    """Return what `days_element` has, as text."""
    if start == end:
        return day_text(start)
    if (start.year, start.month) == (end.year, end.month):
        return f"{day_of_month(start)}–{short_date(end)}"
    return f"{short_day(start)} – {short_date(end)}"


def instant_element(instant: datetime | None) -> SafeString:
    """Return an aware instant in UTC as a `<time>` element: `Thu 26 Feb 2026, 14:05 UTC`.

    Where there is no room for one line, the time of day goes on a second one.
    """
    if instant is None:
        return format_html("{}", NONE)
    moment = instant.astimezone(UTC)
    machine = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    return format_html(
        '<time datetime="{}">{}, {}</time>',
        machine,
        _unbroken(day_text(moment.date())),
        _unbroken(moment.strftime("%H:%M UTC")),
    )


def moment_element(instant: datetime | None) -> SafeString:
    """Return an aware instant on one line of a table whose page says UTC: `26 Feb 2026, 14:05`."""
    if instant is None:
        return format_html("{}", NONE)
    moment = instant.astimezone(UTC)
    machine = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    text = f"{short_date(moment.date())}, {moment:%H:%M}"
    return format_html('<time class="nowrap" datetime="{}">{}</time>', machine, text)


def days_left(deadline: date, today: date) -> str:
    """Return how far a deadline is in UTC days; the day itself still counts."""
    days = (deadline - today) // timedelta(days=1)
    if days == 0:
        return _("due today")
    if days > 0:
        return ngettext("%(days)s day left", "%(days)s days left", days) % {"days": days}
    return ngettext("%(days)s day overdue", "%(days)s days overdue", -days) % {"days": -days}


def due_class(deadline: date, today: date) -> str:
    """Return `due-far`, `due-near` (at most 7 days) or `due-over`."""
    if deadline < today:
        return "due-over"
    return "due-near" if deadline - today <= timedelta(days=DAYS_NEAR) else "due-far"


def _unbroken(text: str) -> str:
    return text.replace(" ", NO_BREAK_SPACE)
