"""What differs between two lists of a kind, player by player: added, removed, and changed fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.bulk import batched
from core.web.csv import csv_text
from players.queries.federations import Minors, shown_birth
from ratings.models import ListEntry, RatingList

CHUNK = 5_000
COLUMNS = (
    "player_id", "name", "federation_id", "title", "women_title", "sex", "birth_year", "rating", "games", "k_factor",
    "is_inactive",
)  # fmt: skip
# Names as in the published CSV and JSON; `title` is FIDE's Tit column.
FIELDS = ("fide_id", "name", "federation", "title", "sex", "birth_year", "rating", "games", "k", "inactive")
HEAD = ("change", *FIELDS, "changed_fields")
ADDED, REMOVED, CHANGED = "added", "removed", "changed"
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Delta:
    """A player who differs: `state` is that of the newer list, of one removed that of the older.

    `before` are the former values of the fields that changed.
    """

    change: str
    state: State
    before: State

    def as_row(self) -> list[Any]:
        """Return the cells of `HEAD`."""
        return [self.change, *self.state.values(), " ".join(self.before)]

    def as_json(self) -> str:
        """Return an object; one that changed has `before`."""
        before = {"before": self.before} if self.before else {}
        return json.dumps({"change": self.change} | self.state | before, ensure_ascii=False)


def deltas(since: RatingList, until: RatingList, minors: Minors) -> Iterator[Delta]:
    """Yield who differs between two lists by FIDE ID; no more than a chunk of rows is in memory."""
    before, after = _states(since, minors), _states(until, minors)
    old, new = next(before, None), next(after, None)
    while old or new:
        if new is None or (old and old["fide_id"] < new["fide_id"]):
            yield Delta(REMOVED, old or {}, {})
            old = next(before, None)
        elif old is None or new["fide_id"] < old["fide_id"]:
            yield Delta(ADDED, new, {})
            new = next(after, None)
        else:
            if former := {name: value for name, value in old.items() if value != new[name]}:
                yield Delta(CHANGED, new, former)
            old, new = next(before, None), next(after, None)


def _states(rating_list: RatingList, minors: Minors) -> Iterator[State]:
    entries = ListEntry.objects.filter(rating_list=rating_list).listed().order_by("player_id")
    for row in entries.values_list(*COLUMNS).iterator(chunk_size=CHUNK):
        fide_id, name, code, title, women_title, sex, born, *figures = row
        year = shown_birth(born, code, minors).year
        yield dict(zip(FIELDS, (fide_id, name, code, title or women_title, sex, year, *figures), strict=True))


def as_csv(rows: Iterator[Delta]) -> Iterator[str]:
    """Yield a CSV in parts, with the names of the columns."""
    yield csv_text([HEAD])
    for some in batched(rows, CHUNK):
        yield csv_text(delta.as_row() for delta in some)


def as_ndjson(rows: Iterator[Delta]) -> Iterator[str]:
    """Yield lines of JSON in parts."""
    for some in batched(rows, CHUNK):
        yield "".join(f"{delta.as_json()}\n" for delta in some)


def as_json(rows: Iterator[Delta], *, since: RatingList, until: RatingList) -> Iterator[str]:
    """Yield one object in parts: the two lists and `changes`, a line a player."""
    head = {"kind": until.kind, "date": until.date.isoformat(), "since": since.date.isoformat()}
    comma = f'{json.dumps(head)[:-1]}, "changes": ['
    for some in batched(rows, CHUNK):
        yield comma + "\n" + ",\n".join(delta.as_json() for delta in some)
        comma = ","
    yield "\n]}\n" if comma == "," else f"{comma}]}}\n"
