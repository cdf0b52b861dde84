"""What a step of the trail says that was, and is, of each field that it changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models import Tournament, TrailEntry

NOTHING = "–"
# The mark of a game, among the changed fields of a tournament.
MARK = "mark"


@dataclass(frozen=True, slots=True)
class Changed:
    """A field by its label, and its values as a person reads them."""

    label: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.label}: {self.before} → {self.after}"


def changed_fields(entry: TrailEntry) -> Iterator[Changed]:
    """Return the fields that a step changed, in the order in which they were kept."""
    return shown_changes(entry.changes)


def shown_changes(changes: Sequence[dict[str, Any]]) -> Iterator[Changed]:
    """Yield changes of fields, as they are kept, by their labels."""
    for one in changes:
        yield Changed(_label(one["field"]), shown_value(one["before"]), shown_value(one["after"]))


def _label(name: str) -> str:
    if name == MARK:
        return _("mark of a game")
    return str(Tournament._meta.get_field(name).verbose_name)  # type: ignore[union-attr]


def shown_value(value: Any) -> str:
    """Return a value of a registration as a person reads it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        if any(":" in str(one) for one in value):
            return ", ".join(str(start) or NOTHING for start in value)
        return ", ".join(f"{day} × {value.count(day)}" for day in dict.fromkeys(value)) or NOTHING
    return NOTHING if value in (None, "") else str(value)
