"""Figures, dates, deadlines and tables of them as a reader sees them, and states.

Figures are exact: no float takes part. A state is a word, a shape and a colour.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from html import escape
from typing import Any

from babel.dates import format_date
from django.utils.formats import date_format, get_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

MINUS = "−"
NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")
NONE = "–"
DAYS_NEAR = 7
NO_BREAK_SPACE = "\u00a0"


def signed_points(value: int | None) -> str:
    """Return a change in whole rating points: `+12`, `−3`, `0`; a dash for None."""
    return NONE if value is None else f"{_sign(value)}{abs(value)}"


def signed_hundredths(value: int | None, *, exact: bool = False) -> str:
    """Return a change given in hundredths of a point: `+12`, `+0.40`, `−3.05`.

    Whole points go without decimals unless `exact`, which columns of such figures want.
    """
    if value is None:
        return NONE
    if not exact and value % 100 == 0:
        return signed_points(value // 100)
    return f"{_sign(value)}{decimal_hundredths(abs(value))}"


def decimal_hundredths(value: int | None) -> str:
    """Return hundredths with two decimals and a sign only below zero: `0.92`, `−1.05`."""
    if value is None:
        return NONE
    whole, rest = divmod(abs(value), 100)
    return f"{MINUS if value < 0 else ''}{whole}{get_format('DECIMAL_SEPARATOR')}{rest:02}"


def decimal_tenths(value: int | None) -> str:
    """Return tenths without sign and with one decimal: `1835.4`."""
    return NONE if value is None else f"{value // 10}{get_format('DECIMAL_SEPARATOR')}{value % 10}"


def local_decimal(text: str | None) -> str:
    """Return an exact decimal, stored as `2433.90`, with the decimal mark of the language; a dash for None."""
    return NONE if text is None else text.replace(".", str(get_format("DECIMAL_SEPARATOR")))


def signed_tenths(value: int | None) -> str:
    """Return a change given in tenths: `+2.4`, `−20.3`, `0.0`; a dash for None."""
    return NONE if value is None else f"{_sign(value)}{decimal_tenths(abs(value))}"


def percent_tenths(value: int | None) -> str:
    """Return a share given in tenths of a percent: `12.5%`; a dash for None."""
    return NONE if value is None else pgettext("share", "%(number)s%%") % {"number": decimal_tenths(value)}


def whole(value: int | None) -> str:
    """Return a whole number, its minus a true one: `−310`; a dash for None."""
    return NONE if value is None else f"{MINUS if value < 0 else ''}{abs(value)}"


def colon() -> str:
    """Return the colon after a label, in French with the space before it."""
    return pgettext("after a label", ":")


def fill_figures(text: str, figures: Mapping[str, Any]) -> str:
    """Return a sentence with its figures, negative numbers (`-310`, `-0.05`) with a true minus."""
    filled = text % figures
    return NEGATIVE.sub(MINUS, filled) if "-" in filled else filled


def half_points(value: int | None) -> str:
    """Return a score given in half points: `5½`, `½`, `0`."""
    if value is None:
        return NONE
    whole, half = divmod(abs(value), 2)
    digits = f"{whole or '' if half else whole}{'½' if half else ''}"
    return f"{MINUS if value < 0 else ''}{digits}"


def change_figure(text: str) -> SafeString:
    """Return a signed figure with arrow, colour class and a word, so that no meaning rests on colour alone."""
    if text.startswith("+"):
        return _figure(text, "gain", "▲", _("gain"))
    if text.startswith(MINUS):
        return _figure(text, "loss", "▼", _("loss"))
    return format_html('<span class="change">{}</span>', text)


def list_month(day: date | None) -> str:
    """Return the month of a rating list: `February 2026`."""
    return _month(day, get_language()) if day else NONE


@lru_cache(maxsize=4096)
def _month(day: date, language: str | None) -> str:
    """Return a month in the present language; a page of ten years names several hundred."""
    return date_format(day, "YEAR_MONTH_FORMAT")


def day_text(day: date) -> str:
    """Return a day with its weekday: `Thu 26 Feb 2026`; each language orders and spells it its own way."""
    return _written(day, pgettext("date", "EEE d MMM y"), get_language())


def long_day(day: date) -> str:
    """Return a day of an email with its weekday: `Thursday, 26 February 2026`; of an instant with its time."""
    written = _written(day, pgettext("date", "EEEE, d MMMM y"), get_language())
    return f"{written}, {day:%H:%M}" if isinstance(day, datetime) else written


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
    """Return the day by a pattern of CLDR, with the names and in the order of a language."""
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
    if (start.year, start.month) == (end.year, end.month):
        first = _written(start, pgettext("date", "d"), get_language())
        return format_html("{}–{}", first, _unbroken(short_date(end)))
    # Where there is no room for one line, it breaks after the dash.
    return format_html("{} {}", _unbroken(f"{short_day(start)} –"), _unbroken(short_date(end)))


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


def short_hash(value: str) -> SafeString:
    """Return both ends of a SHA-256, the whole in the title."""
    text = f"{value[:8]}…{value[-8:]}" if len(value) > 20 else value
    return format_html('<code class="hash" title="{}">{}</code>', value, text)


def _unbroken(text: str) -> str:
    return text.replace(" ", NO_BREAK_SPACE)


def _sign(value: int) -> str:
    if value == 0:
        return ""
    return "+" if value > 0 else MINUS


def _figure(text: str, kind: str, arrow: str, word: str) -> SafeString:
    # A list page has a hundred of them, and `format_html` takes five times as long.
    return SafeString(
        f'<span class="change {kind}"><span class="arrow" aria-hidden="true">{arrow}</span>{escape(text)}'
        f'<span class="hidden"> {escape(word)}</span></span>'
    )


Label = str | Promise


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list. `key` is what `?sort=` carries (none: it does not sort)."""

    label: Label
    key: str = ""
    numeric: bool = False
    falling_first: bool = False
    abbr: Label = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column as `partials/heads.html` draws it; `sorted` is a value of `aria-sort` or empty."""

    label: Label
    url: str = ""
    numeric: bool = False
    sorted: str = ""
    abbr: Label = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A small table: heads, and rows of cells in their order; the first cell of a row names it."""

    heads: Sequence[Label]
    rows: Sequence[Sequence[Label]]
    numeric_from: int = 1

    def written_rows(self) -> Iterator[SafeString]:
        """Give the cells of each row as markup, written at once: a template for each cell costs more than a chart."""
        for row in self.rows:
            yield mark_safe(
                "".join(self._cell(place, format_html("{}", cell)) for place, cell in enumerate(row))
            )

    def _cell(self, place: int, text: str) -> str:
        if place == 0:
            return f'<th scope="row">{text}</th>'
        return f'<td class="num">{text}</td>' if place >= self.numeric_from else f"<td>{text}</td>"


# Drawn on 16 by 16. A ring that fills as a tournament progresses; other outlines if something blocks it.
_RING = '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="2.5"/>'
_DISC = '<circle cx="8" cy="8" r="8" fill="currentColor"/>'
_CROSS = '<path d="M2.5 2.5l11 11m0-11l-11 11" fill="none" stroke="currentColor" stroke-width="3.5"/>'
_PAPER_TICK = '<path d="M4 8.5l3 3 5.5-6.5" fill="none" stroke="var(--paper)" stroke-width="2.25"/>'
_PAPER_CROSS = '<path d="M5 5l6 6m0-6l-6 6" fill="none" stroke="var(--paper)" stroke-width="2.25"/>'
_TRIANGLE = '<path d="M8 1l8 14H0z" fill="currentColor"/>'
_LINE = '<path d="{}" fill="none" stroke="currentColor" stroke-width="2"/>'

SHAPES: dict[str, str] = {
    "draft": '<circle cx="8" cy="8" r="6.75" fill="none" stroke="currentColor" stroke-width="2.5"'
    ' stroke-dasharray="3.5 3.57"/>',
    "ring": _RING,
    "ring-tick": _RING + _LINE.format("M4.5 8.25l2.5 2.5 4.5-5.25"),
    "ring-half": _RING + '<path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor"/>',
    "ring-dot": _RING + '<circle cx="8" cy="8" r="3.25" fill="currentColor"/>',
    "ring-struck": _RING + _LINE.format("M3.5 12.5l9-9"),
    "disc": _DISC,
    "disc-tick": _DISC + _PAPER_TICK,
    "disc-cross": _DISC + _PAPER_CROSS,
    "diamond": '<path d="M8 1.5L14.5 8 8 14.5 1.5 8z" fill="none" stroke="currentColor" stroke-width="2.5"/>',
    "cross": _CROSS,
    "square": '<path d="M1.5 1.5h13v13h-13z" fill="none" stroke="currentColor" stroke-width="2.5"/>'
    + _LINE.format("M4.5 8h7"),
    "triangle": _TRIANGLE
    + '<path d="M8 5.5v4.5m0 1.25v2" fill="none" stroke="var(--paper)" stroke-width="1.75"/>',
    "triangle-open": '<path d="M8 3l5.75 10.5H2.25z" fill="none" stroke="currentColor" stroke-width="2.5"/>',
    "dots": '<circle cx="2.5" cy="8" r="2" fill="currentColor"/><circle cx="8" cy="8" r="2" fill="currentColor"/>'
    '<circle cx="13.5" cy="8" r="2" fill="currentColor"/>',
    "info": _DISC + '<path d="M8 3.25v2m0 2v5.5" fill="none" stroke="var(--paper)" stroke-width="2.25"/>',
    "up": _LINE.format("M3 11l5-6 5 6"),
    "down": _LINE.format("M3 5l5 6 5-6"),
    "left": _LINE.format("M11 3L5 8l6 5"),
    "right": _LINE.format("M5 3l6 5-6 5"),
    "first": _LINE.format("M13 3L7 8l6 5M3 3v10"),
    "last": _LINE.format("M3 3l6 5-6 5M13 3v10"),
    "menu": _LINE.format("M1.5 3.5h13m-13 4.5h13m-13 4.5h13"),
    "bell": _LINE.format("M3 11.5h10l-1.2-2V6.5a3.8 3.8 0 0 0-7.6 0v3zM6.5 13.8h3"),
    "download": _LINE.format("M8 1.5v8.5m-4-3.5l4 4 4-4M2 14h12"),
    "filter": _LINE.format("M1.5 3.5h13M4 8h8m-5.5 4.5h3"),
    "sortable": _LINE.format("M4.5 6L8 2.5 11.5 6m-7 4L8 13.5 11.5 10"),
    "person": '<circle cx="8" cy="5" r="2.8" fill="none" stroke="currentColor" stroke-width="2"/>'
    + _LINE.format("M2.5 14.5a5.5 5.5 0 0 1 11 0"),
    "pencil": _LINE.format("M3 13l.7-3L11 2.7 13.3 5 6 12.3z"),
    "cup": _LINE.format("M4.5 2.5h7V7a3.5 3.5 0 0 1-7 0zM8 10.5V13M5.5 13.5h5"),
    "copies": _LINE.format("M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"),
    "search": '<circle cx="6.75" cy="6.75" r="4.75" fill="none" stroke="currentColor" stroke-width="2"/>'
    + _LINE.format("M10.25 10.25L15 15"),
    "brand": '<path d="M1 15V9.5h4.5V5H10V1h5v14z" fill="currentColor"/>',
}


def shape(name: str, *, css_class: str = "shape") -> SafeString:
    """Return the shape as inline SVG, silent for screen readers; KeyError for an unknown name."""
    return mark_safe(
        f'<svg class="{css_class}" viewBox="0 0 16 16" aria-hidden="true" focusable="false">{SHAPES[name]}</svg>'
    )


STATES: dict[str, tuple[str | Promise, str]] = {
    "draft": (_l("draft"), "draft"),
    "registered": (_l("registered"), "ring"),
    "waiting": (_l("waiting for QC decision"), "diamond"),
    "approved": (_l("approved"), "ring-tick"),
    "refused": (_l("refused"), "cross"),
    "reported": (_l("reported"), "ring-half"),
    "checked": (_l("checked"), "ring-half"),
    "accepted": (_l("accepted"), "ring-tick"),
    "rated": (pgettext_lazy("tournament", "rated"), "ring-dot"),
    "published": (_l("published"), "disc"),
    "withdrawn": (_l("withdrawn"), "ring-struck"),
    "not-rated": (_l("not rated"), "square"),
    "appealed": (_l("appealed"), "triangle-open"),
    "running": (_l("running"), "dots"),
    "failed": (_l("failed"), "triangle"),
}

SEVERITIES: dict[str, tuple[str | Promise, str]] = {
    "error": (_l("Error"), "disc-cross"),
    "warning": (_l("Warning"), "triangle"),
    "notice": (_l("Note"), "info"),
}

NOTES: dict[str, str] = {
    "success": "disc-tick",
    "error": "disc-cross",
    "warning": "triangle",
    "info": "info",
    "debug": "info",
}


def state_badge(state: str, *, label: str | Promise = "") -> SafeString:
    """Return a state as word, shape and colour; an unknown state keeps its own word and a plain ring."""
    name = state.replace("_", "-")
    word, outline = STATES.get(name, (state, "ring"))
    return format_html('<span class="state state-{}">{}{}</span>', name, shape(outline), label or word)
