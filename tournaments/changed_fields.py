"""The changed fields of a step, as people read them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext, pgettext

from core.html.dates import short_date
from core.html.figures import colon
from players.choices import Area
from players.models import Player
from players.models.log import Logged
from tournaments.choices import GameMark
from tournaments.conditions import SHOWN_AS
from tournaments.models import Tournament
from tournaments.trf.time_control import shown_time_control

ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")

NOTHING = "–"
# The mark of a game, among the changed fields of a tournament.
MARK = "mark"
# The arbiters by name and FIDE ID in entries of former releases.
ARBITERS = "arbiters"
# The FIDE IDs that left the entry list, and those that came.
ENTRIES, MAX_SHOWN_IDS = "entries", 10


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A field by its label, and its values as a person reads them."""

    field: str
    label: str
    before: str
    after: str

    def __str__(self) -> str:
        before = "" if self.before == NOTHING else f"{self.before} → "
        after = pgettext("value", "none") if self.after == NOTHING else self.after
        return f"{self.label}{colon()} {before}{after}"


def shown_changes(changes: Sequence[dict[str, Any]], area: str = Area.TOURNAMENT) -> Iterator[ShownChange]:
    """Yield changes of fields, as they are kept, by their labels; those of the parts of one condition as one."""
    for one in _joined(changes) if area == Area.TOURNAMENT else changes:
        label, shown = _label_and_shown(one["field"], area)
        yield ShownChange(one["field"], label, shown(one["before"]), shown(one["after"]))


def _joined(changes: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    kept = {one["field"]: one for one in changes}
    for one in changes:
        name = SHOWN_AS.get(one["field"], one["field"])
        parts = [part for part, shown_as in SHOWN_AS.items() if shown_as == name]
        # An entry of a former release may have some of them alone.
        if name not in JOINED or not kept.keys() >= {*parts}:
            yield one
        elif one["field"] == parts[0]:
            joined = {side: [kept[part][side] for part in parts] for side in ("before", "after")}
            yield {"field": name} | {side: JOINED[name](*values) for side, values in joined.items()}


def _label_and_shown(name: str, area: str) -> tuple[str, Callable[[Any], str]]:
    others = OTHERS if area == Area.TOURNAMENT else COUNTS if area == Area.FEDERATION else {}
    if name in others:
        label, shown = others[name]
        return str(label), shown
    tables = _tables()[area]
    named = (one for table in tables for one in table._meta.get_fields())
    field: Any = next((one for one in named if name in (one.name, getattr(one, "attname", ""))), None)
    if field is None or not hasattr(field, "flatchoices"):
        # A field of a former release.
        return name, shown_value
    if not field.flatchoices:
        return str(field.verbose_name), shown_value
    labels = dict(field.flatchoices)
    return str(field.verbose_name), lambda value: str(labels.get(value) or shown_value(value))


@cache
def _tables() -> dict[str, list[type[Model]]]:
    """Return the tables whose fields the entries of an area name."""
    tables: dict[str, list[type[Model]]] = {Area.TOURNAMENT: [Tournament], Area.ACCOUNT: [get_user_model()]}
    for table in apps.get_models():
        if issubclass(table, Logged):
            tables.setdefault(table.area, []).append(table)
    return tables


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


def _shown_arbiter(name: str, fide_id: int | None) -> str:
    return f"{name} ({fide_id})" if fide_id else name


def _shown_arbiters(ids: Sequence[int]) -> str:
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "name"))
    return "; ".join(_shown_arbiter(names.get(fide_id, ""), fide_id).strip() for fide_id in ids) or NOTHING


def _shown_email(value: Any) -> str:
    """Return that there is an address: the log keeps none."""
    return _("an address, not kept in the history") if value else NOTHING


def shown_value(value: Any) -> str:
    """Return a value of a registration as a person reads it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        if any(":" in str(one) for one in value):
            return ", ".join(str(start) or NOTHING for start in value)
        return ", ".join(_shown_rounds(value, day) for day in dict.fromkeys(value)) or NOTHING
    return NOTHING if value in (None, "") else shown_day(value)


def _shown_rounds(days: Sequence[str], day: str) -> str:
    """Return a day of a schedule, which has the day of each round, with its rounds."""
    rounds = [str(number) for number, one in enumerate(days, 1) if one == day]
    text = ngettext("%(day)s (round %(rounds)s)", "%(day)s (rounds %(rounds)s)", len(rounds))
    return text % {"day": shown_day(day), "rounds": "–".join(dict.fromkeys([rounds[0], rounds[-1]]))}


def shown_day(value: Any) -> str:
    """Return a date, which is stored as text, as a person reads it; any other value as it is."""
    text = str(value)
    return short_date(date.fromisoformat(text)) if ISO_DATE.fullmatch(text) else text


# The conditions that have several parts, as one text.
JOINED: dict[str, Callable[..., str]] = {"time_control": shown_time_control, "chief_arbiter": _shown_arbiter}
# What a step changes beside the fields of its tournament.
OTHERS: dict[str, tuple[str | Promise, Callable[[Any], str]]] = {
    MARK: (_l("Mark of a game"), _shown_mark),
    ARBITERS: (_l("Arbiters"), shown_value),
    "time_control": (_l("Time control"), shown_value),
    "continues": (_l("Continues"), shown_value),
    "entry_email": (_l("Email to enter"), _shown_email),
    "deputy_ids": (_l("Deputy arbiters"), _shown_arbiters),
    ENTRIES: (_l("Changed entries"), _shown_ids),
}
# What became of the rows of a register.
COUNTS: dict[str, tuple[str | Promise, Callable[[Any], str]]] = {
    "created": (_l("New players, with a new FIDE ID"), shown_value),
    "changed": (_l("Changed numbers or clubs"), shown_value),
    "equal": (_l("Unchanged"), shown_value),
    "asked": (_l("FIDE ID applications"), shown_value),
}
