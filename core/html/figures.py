"""Figures as pages, mails and feeds show them: points, scores, shares, changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from html import escape
from typing import Any

from django.utils.formats import get_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

MINUS = "−"
# Not the hyphens of dates, codes and ranges.
NEGATIVE = re.compile(r"(?<![\w.-])-(?=\d)")
# Not a day, a code or a whole number.
DECIMAL = re.compile(r"[-+−]? ?\d+\.\d+")
NONE = "–"


def signed_points(value: int | None) -> str:
    """Return a change in whole rating points: `+12`, `−3`, `0`, `+31,032`; a dash for None."""
    return NONE if value is None else f"{_sign(value)}{number_format(abs(value), force_grouping=True)}"


def signed_hundredths(value: int | None) -> str:
    """Return a change given in hundredths of a point: `+12.00`, `−3.05`, `0.00`; a dash for None."""
    return NONE if value is None else f"{_sign(value)}{decimal_hundredths(abs(value))}"


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


def mixed_decimal(text: str) -> str:
    """Return an exact mixed number, `1867 3/7`, to hundredths: `1867.43`; a whole number as it is."""
    exact = sum(Fraction(part) for part in text.split())
    return text if exact.denominator == 1 else decimal_hundredths(int(exact * 100 + Fraction(1, 2)))


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
    """Return a sentence with its figures: decimals as `local_decimal`, negative numbers (`-310`) with a true minus."""
    filled = text % {name: _in_sentence(value) for name, value in figures.items()}
    return NEGATIVE.sub(MINUS, filled) if "-" in filled else filled


def _in_sentence(value: Any) -> Any:
    return local_decimal(value) if isinstance(value, str) and DECIMAL.fullmatch(value) else value


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


def short_hash(value: str) -> SafeString:
    """Return both ends of a SHA-256, the whole in the title and on paper."""
    if not value:
        return format_html("{}", NONE)
    text = f"{value[:8]}…{value[-8:]}" if len(value) > 20 else value
    return format_html('<code class="hash small" title="{}">{}</code>', value, text)


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
