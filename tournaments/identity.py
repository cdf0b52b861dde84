"""By what a registration is one of an event, and what of it changed after the deadline of registration (D-127)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any

from players.models import LogEntry
from players.person_names import is_word_alike
from players.spelling import in_latin_letters, words_of
from tournaments import regulations
from tournaments.changed_fields import ARBITERS, ShownChange, shown_changes
from tournaments.choices import Action
from tournaments.conditions import ARBITER_IDS, SPELLED
from tournaments.models import Tournament

# The steps in which a registration was made, changed or approved.
MADE_BY = (Action.REGISTER, Action.CHANGE, Action.GRANT, Action.ALLOW)
SHOWN = (*SPELLED, "start", "chief_arbiter", *ARBITER_IDS, ARBITERS)
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))
# Before or after a word; a hyphen is one only beside a number or a single letter, and no sign within words or 15+10.
SIGN = re.compile(
    # A sign begins where no other one is before it, so that a long row of them is read once.
    r"(?<![\w+<>=±≤≥*#])[+<>=±≤≥*#]+(?=\s*\w)|(?<=\w)[+<>=±≤≥*#]+(?!\w)"
    r"|(?<![\w-])-+(?=\d|\w\b)|(?:(?<=\d)|(?<=\b\w))-+(?!\w)"
)
SIGN_WORDS = {"+": "plus", "-": "minus"}


def event_words(name: str) -> list[str]:
    """Return the words of an event's name in order with its signs: `Rapid +1800` is not `Rapid -1800` (D-135)."""

    def in_words(found: re.Match[str]) -> str:
        signs = (SIGN_WORDS.get(sign) or unicodedata.name(sign) for sign in found[0])
        return f" {' '.join(signs)} "

    return words_of(SIGN.sub(in_words, unicodedata.normalize("NFKC", name).translate(DASHES)))


def is_another_text(one: str, other: str) -> bool:
    """Return whether two texts differ beyond their spelling, as names do (D-118)."""
    first, second = (event_words(in_latin_letters(text)) for text in (one, other))
    return len(first) != len(second) or not all(map(_is_same_word, first, second))


def _is_same_word(one: str, other: str) -> bool:
    # Numbers and single letters name groups.
    is_name = min(len(one), len(other)) > 1 and one.isalpha() and other.isalpha()
    return one == other or (is_name and is_word_alike(one, other))


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

    change: ShownChange
    on: date


def late_changes(tournament: Tournament, entries: Sequence[LogEntry]) -> list[LateChange]:
    """Return what by which a registration is one of an event changed after its deadline, in order (D-127).

    `entries` are the steps of the tournament in their order.
    """
    made = [entry for entry in reversed(entries) if entry.action in MADE_BY]
    backwards = [*_changes_backwards(tournament, made)]
    return [
        LateChange(change=shown, on=_day(entry))
        for entry, former in reversed(backwards)
        if not regulations.is_registered_in_time(former["start"], _day(entry))
        for shown in shown_changes([*filter(is_shown_in_public, entry.changes)])
    ]


def is_shown_in_public(change: Mapping[str, Any]) -> bool:
    """Return whether the public page shows a late change: not of the spelling alone (D-127)."""
    name, before, after = (change[key] for key in ("field", "before", "after"))
    return name in SHOWN and (name not in SPELLED or is_another_text(before, after))


def _entries(tournament: Tournament) -> Iterable[LogEntry]:
    """Return the steps in which a registration was made, changed or approved, the newest first."""
    return list(tournament.log_entries.filter(action__in=MADE_BY).order_by("-at", "-pk"))


def _changes_backwards(
    tournament: Tournament, entries: Iterable[LogEntry]
) -> Iterator[tuple[LogEntry, dict[str, Any]]]:
    """Yield steps, the newest first, each with the values that were registered before it."""
    values = {name: getattr(tournament, name) for name in ("start", *SPELLED)}
    for entry in entries:
        for change in entry.changes:
            if change["field"] == "start":
                values["start"] = date.fromisoformat(change["before"])
            elif change["field"] in values:
                values[change["field"]] = change["before"]
        yield entry, dict(values)


def _day(entry: LogEntry) -> date:
    return entry.at.astimezone(UTC).date()
