"""The changed fields of a step, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from core.html.dates import short_date
from core.html.figures import colon
from tournaments.choices import GameMark
from tournaments.models import Tournament

ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")

NOTHING = "–"
# The mark of a game, among the changed fields of a tournament.
MARK = "mark"
# The arbiters by FIDE ID, likewise.
ARBITERS = "arbiters"
# The FIDE IDs that left the entry list, and those that came.
ENTRIES, MAX_SHOWN_IDS = "entries", 10


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A field by its label, and its values as a person reads them."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.label}{colon()} {self.before} → {self.after}"


def shown_changes(changes: Sequence[dict[str, Any]]) -> Iterator[ShownChange]:
    """Yield changes of fields, as they are kept, by their labels."""
    for one in changes:
        shown = SHOWN_OTHERWISE.get(one["field"], shown_value)
        yield ShownChange(_label(one["field"]), shown(one["before"]), shown(one["after"]))


def _shown_mark(value: Any) -> str:
    """Return the mark of a game with the words of its reason: `1 unequal playing times Letter of ...`."""
    number, _space, rest = str(value or "").partition(" ")
    code, _space, reference = rest.partition(" ")
    label = str(dict(GameMark.choices).get(code, code))
    return " ".join(filter(None, [number, label, reference])) or NOTHING


def _shown_ids(ids: Sequence[int]) -> str:
    """Return FIDE IDs in words, of many the first ones."""
    shown = ", ".join(map(str, ids[:MAX_SHOWN_IDS]))
    more = len(ids) - MAX_SHOWN_IDS
    return _("%(ids)s and %(number)d more") % {"ids": shown, "number": more} if more > 0 else shown or NOTHING


SHOWN_OTHERWISE: dict[str, Callable[[Any], str]] = {MARK: _shown_mark, ENTRIES: _shown_ids}


def _label(name: str) -> str:
    if name == MARK:
        return _("mark of a game")
    if name == ARBITERS:
        return _("arbiters")
    if name == ENTRIES:
        return _("changed entries")
    return str(Tournament._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def shown_value(value: Any) -> str:
    """Return a value of a registration as a person reads it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        if any(":" in str(one) for one in value):
            return ", ".join(str(start) or NOTHING for start in value)
        return ", ".join(f"{shown_day(day)} × {value.count(day)}" for day in dict.fromkeys(value)) or NOTHING
    return NOTHING if value in (None, "") else shown_day(value)


def shown_day(value: Any) -> str:
    """Return a date, which is stored as text, as a person reads it; any other value as it is."""
    text = str(value)
    return short_date(date.fromisoformat(text)) if ISO_DATE.fullmatch(text) else text
