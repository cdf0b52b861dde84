"""By what a registration is one of an event, and what of it changed after the deadline of registration (D-127)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any

from players.person_names import is_word_alike
from players.spelling import in_latin_letters, words_of
from tournaments import regulations
from tournaments.choices import Action
from tournaments.conditions import SPELLED
from tournaments.models import AuditEntry, Tournament
from tournaments.queries.changed_fields import ARBITERS, ShownChange, shown_changes

SHOWN = (*SPELLED, "start", "chief_arbiter", ARBITERS)
# Numbers, and signs that tell groups of one name apart: `+1800` and `-1800`, `A` and `A+` (D-135).
SIGNED = re.compile(r"(?<!\S)[+−-]\d+|\d+|\w\+")


def is_another_text(one: str, other: str) -> bool:
    """Return whether two texts differ beyond their spelling, as names do (D-118)."""
    if SIGNED.findall(one) != SIGNED.findall(other):
        return True
    first, second = (
        [word for word in words_of(in_latin_letters(text)) if not word.isdigit()] for text in (one, other)
    )
    return len(first) != len(second) or not all(map(_is_same_word, first, second))


def _is_same_word(one: str, other: str) -> bool:
    # A single letter names a group.
    return one == other or (min(len(one), len(other)) > 1 and is_word_alike(one, other))


def committed_values(tournament: Tournament) -> dict[str, Any]:
    """Return first day, name, city and organiser as at the deadline of registration, or as the QC saw them last.

    What was changed little by little since is compared with these.
    """
    values = {name: getattr(tournament, name) for name in ("start", *SPELLED)}
    for entry, former in _changes_backwards(tournament, _entries(tournament)):
        if entry.action != Action.CHANGE or regulations.is_registered_in_time(former["start"], _day(entry)):
            break
        values |= {name: former[name] for name in values}
    return values


def is_of_another_event(committed: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether changed values make a new registration: another first day, or two other texts (D-127)."""
    others = sum(is_another_text(committed[name], wanted[name]) for name in SPELLED)
    return committed["start"] != wanted["start"] or others > 1


@dataclass(frozen=True, slots=True)
class LateChange:
    """A change after the deadline of registration, as the public page shows it."""

    field: str
    change: ShownChange
    on: date


def late_changes(tournament: Tournament) -> list[LateChange]:
    """Return what by which a registration is one of an event changed after its deadline, in order (D-127)."""
    backwards = [*_changes_backwards(tournament, _entries(tournament))]
    return [
        LateChange(field=change["field"], change=shown, on=_day(entry))
        for entry, former in reversed(backwards)
        if not regulations.is_registered_in_time(former["start"], _day(entry))
        for change, shown in zip(entry.changes, shown_changes(entry.changes), strict=True)
        if change["field"] in SHOWN
        and (change["field"] not in SPELLED or is_another_text(change["before"], change["after"]))
    ]


def _entries(tournament: Tournament) -> Sequence[AuditEntry]:
    """Return the steps in which a registration was made, changed or approved, the newest first."""
    actions = (Action.REGISTER, Action.CHANGE, Action.GRANT, Action.ALLOW)
    return tournament.audit_entries.filter(action__in=actions).order_by("-at", "-pk")


def _changes_backwards(
    tournament: Tournament, entries: Sequence[AuditEntry]
) -> Iterator[tuple[AuditEntry, dict[str, Any]]]:
    """Yield steps, the newest first, each with the values that were registered before it."""
    values = {name: getattr(tournament, name) for name in ("start", *SPELLED)}
    for entry in entries:
        for change in entry.changes:
            if change["field"] == "start":
                values["start"] = date.fromisoformat(change["before"])
            elif change["field"] in values:
                values[change["field"]] = change["before"]
        yield entry, dict(values)


def _day(entry: AuditEntry) -> date:
    return entry.at.astimezone(UTC).date()
