"""What stored findings say to a reader: each its message, and a group of them a sentence with their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from core.html.dates import day_in_words
from core.html.figures import local_decimal
from tournaments.trf.findings import CODES, english_text

# Values that are words of ours, not of the report.
WORDS = frozenset({"meaning", "what", "direction", "kind", "reported_kind", "registered_kind", "encoding"})

# Values that are dates; `first` is in other messages a number.
DAYS = frozenset({"start", "end", "day", "first", "died_on"})
# Values with a decimal point.
DECIMALS = frozenset({"score", "expected"})


def finding_text(finding: Mapping[str, Any]) -> str:
    """Return what a finding, as it is stored, says in the language of the page.

    Dates and lists are in words; the English text, which the API and the commands give, has them as `2026-01-01` and
    `rapid 2026-01`. A finding of an earlier release whose values do not fit today's text keeps the words that it has.
    """
    values = finding.get("params") or {}
    try:
        template = CODES[finding["code"]].text
        return gettext(template).format(**{name: _show_value(name, value) for name, value in values.items()})
    except (KeyError, IndexError):
        return english_text(finding)


def _show_value(name: str, value: Any) -> Any:
    """Return a value as a page shows it: words translated, dates in words, numbers and lists as in the language."""
    if name in WORDS:
        return gettext(value)
    if name in DAYS and isinstance(value, str):
        return day_in_words(value)
    if name in DECIMALS:
        return local_decimal(value)
    if name == "list":
        kind, _, month = value.partition(" ")
        return f"{day_in_words(month)} ({gettext(kind)})"
    return value


def title_of(code: str, findings: Sequence[Mapping[str, Any]]) -> str:
    """Return the title of the findings of one code, as they are stored; of a single one without a title its text."""
    count = len(findings)
    if count == 1 and "by" in (findings[0].get("params") or {}):
        by = findings[0]["params"]["by"]
        text = ngettext(
            "Line %(line)d is shifted by %(by)d character",
            "Line %(line)d is shifted by %(by)d characters",
            by,
        )
        return text % {"line": findings[0]["line"], "by": by}
    declared = CODES.get(code)
    if declared and declared.title:
        return ngettext(*declared.title, count) % count
    if count == 1:
        return finding_text(findings[0])
    return ngettext("%d place in the report", "%d places in the report", count) % count
