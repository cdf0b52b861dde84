"""What was decided here of players, which no list undoes (D-136)."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from core.sql import ids_subquery
from players.choices import CaseState, Deed
from players.fide_list.ascii_names import ascii_name
from players.models import LogEntry, TitleGrant, Transfer
from players.spelling import fold
from players.titles import ORDER
from ratings.ledger.figures import PERSON
from ratings.models import Correction

FIELDS = ("fide_id", *PERSON)
TITLES = frozenset({"title", "women_title", "other_titles", "foa_title"})
UMLAUTS = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "ø": "oe",
        "Ø": "Oe",
        "å": "aa",
        "Å": "Aa",
    }
)
Person = tuple[Any, ...]


def is_poorer_spelling(name: str, known: str) -> bool:
    """Return whether a name is a known one with fewer accents or in letters of one case: `MUELLER` for `Müller`.

    Lists in ASCII have other apostrophes and dashes too, `?` for letters that they cannot have, and cut long names.
    """
    if name == known or not known:
        return False
    forms = {fold(form) for spelt in (known, known.translate(UMLAUTS)) for form in (spelt, ascii_name(spelt))}
    if fold(name) not in forms and not _has_marks_for_letters(name, known):
        return False
    return _accents_in(name) < _accents_in(known) or (_has_one_case(name) and not _has_one_case(known))


def _has_marks_for_letters(name: str, known: str) -> bool:
    return len(name) == len(known) and all(
        here == there or (here == "?" and not there.isascii())
        for here, there in zip(name, known, strict=True)
    )


def _accents_in(name: str) -> int:
    return sum(not letter.isascii() for letter in unicodedata.normalize("NFC", name))


def _has_one_case(name: str) -> bool:
    return name.isupper() or name.islower()


def decided_fields(changes: Mapping[Person, Person], *, on: date) -> dict[int, frozenset[str]]:
    """Return by FIDE ID the fields that a list of a day says otherwise, and that are kept as they were decided here.

    `changes` are what the list says and what the portal has, in the order of `FIELDS`. Kept are what was decided from
    the day of the list on, what a correction set, titles that staff entered, and the federation before a transfer.
    """
    known = {old[0]: dict(zip(FIELDS, old, strict=True)) for old in changes.values()}
    listed = {new[0]: dict(zip(FIELDS, new, strict=True)) for new in changes}
    found = defaultdict[int, set[str]](set)
    if known:
        for key, name, value in _decisions(known, listed, on):
            own = known[key][name]
            if own != listed[key][name] and str(value or "") == str(own or ""):
                found[key].add(name)
    return {key: frozenset(names) for key, names in found.items()}


def _decisions(
    known: Mapping[int, Mapping[str, Any]], listed: Mapping[int, Mapping[str, Any]], on: date
) -> Iterator[tuple[int, str, Any]]:
    """Yield what was decided: player, field and the value that it was given."""
    corrections = Correction.objects.filter(player__in=ids_subquery(known)).order_by()
    for row in corrections.only("player_id", "amendments"):
        said = row.fields.values()
        yield from ((row.player_id or 0, one.field, one.after) for one in said if one.field in PERSON)
    transfers = Transfer.objects.filter(player__in=ids_subquery(known), state=CaseState.APPROVED).order_by()
    for key, before, after in transfers.values_list("player", "from_federation", "to_federation"):
        if listed[key]["federation_id"] == before:
            yield key, "federation_id", after
    granted = set(TitleGrant.objects.filter(player__in=ids_subquery(known)).values_list("player", "title"))
    for key, title in granted:
        yield from (
            (key, name, title) for name in ("title", "women_title") if _ranks_lower(listed[key][name], title)
        )
    for key, name, value in _changes_in_log(known, on):
        # A higher title than the one that was granted here is new.
        if name not in TITLES or (key, value) not in granted:
            yield key, name, value


def _ranks_lower(title: str, granted: str) -> bool:
    return title not in ORDER or ORDER.index(title) > ORDER.index(granted)


def _changes_in_log(known: Mapping[int, Mapping[str, Any]], on: date) -> Iterator[tuple[int, str, Any]]:
    """Yield the fields of players that were changed here: on the day or later, and titles on any day.

    Imports have no entries in the log, and registering a player decides nothing against FIDE's list.
    """
    edited = LogEntry.objects.filter(player__in=ids_subquery(known), action=Deed.EDITED).order_by("pk")
    for at, key, changes in edited.values_list("at", "player_id", "changes"):
        for change in changes:
            name = change["field"]
            if name in FIELDS and (at.date() >= on or name in TITLES):
                yield key, name, change["after"]
