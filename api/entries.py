"""The entries of a list in list order: pages that cost the same anywhere in 1.9 million, and streams of all."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.db.models import F, Q, QuerySet

from api.cursors import Key, Order
from api.serializers.lists import ENTRY_COLUMNS, ENTRY_NAMES, shown_row
from core.html.cells import cell
from players.queries.minors import Minors
from ratings.models import ListEntry, RatingList
from ratings.queries.entries import LIST_ORDER, Filter, entries_of

CHUNK = 5_000
# A public name that is a field's own cannot be given to an expression.
SAME_NAMES = [name for name, column in ENTRY_COLUMNS.items() if column in (name, f"{name}_id")]
OTHER_NAMES = {name: F(column) for name, column in ENTRY_COLUMNS.items() if name not in SAME_NAMES}
POSITIONS = Order(
    (Key("rating", int, is_falling=True), Key("name", str), Key("player_id", int, attribute="fide_id"))
)


def chosen_entries(rating_list: RatingList, values: dict[str, Any], minors: Minors) -> QuerySet[ListEntry]:
    """Return the listed entries that the parameters leave; minors are found by whole age bands."""
    active = values.get("active")
    entries = entries_of(
        rating_list,
        Filter(
            federation=values.get("federation", ""),
            sex=values.get("sex", ""),
            title=values.get("title", ""),
            born_from=values.get("birth_year_from"),
            born_to=values.get("birth_year_to"),
            rating_from=values.get("rating_from"),
            rating_to=values.get("rating_to"),
            is_active=active is True,
            minors=minors,
        ),
    )
    return entries.filter(is_inactive=True) if active is False else entries


def page_of(entries: QuerySet[ListEntry], cursor: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    """Return a page of rows and the cursor of the next one, in two queries at most.

    The rest of the rating at which the page before ended is one range of the index, all lower ratings another:
    a condition on both at once would have every player of a common rating read.
    """
    rows = entries.order_by(*LIST_ORDER).values(*SAME_NAMES, **OTHER_NAMES)
    if not cursor:
        return POSITIONS.cut(list(rows[: limit + 1]), limit)
    rating, name, fide_id = POSITIONS.read(cursor)
    same = rows.filter(Q(name__gt=name) | Q(name=name, player_id__gt=fide_id), rating=rating, name__gte=name)
    found = list(same[: limit + 1])
    if len(found) <= limit:
        found += rows.filter(rating__lt=rating)[: limit + 1 - len(found)]
    return POSITIONS.cut(found, limit)


def ndjson(entries: QuerySet[ListEntry], minors: Minors) -> Iterator[bytes]:
    """Yield the entries as lines of JSON."""
    yield from _in_pieces(_rows(entries, minors), _json_lines)


def as_csv(entries: QuerySet[ListEntry], minors: Minors) -> Iterator[bytes]:
    """Yield the entries as CSV (RFC 4180) with the names of the JSON as head."""
    yield _csv_lines([ENTRY_NAMES])
    yield from _in_pieces(_rows(entries, minors), _csv_lines)


def _rows(entries: QuerySet[ListEntry], minors: Minors) -> Iterator[tuple[Any, ...]]:
    rows = entries.order_by(*LIST_ORDER).values_list(*ENTRY_COLUMNS.values())
    return (shown_row(row, minors) for row in rows.iterator(chunk_size=CHUNK))


def _in_pieces(
    rows: Iterable[tuple[Any, ...]], write: Callable[[list[tuple[Any, ...]]], bytes]
) -> Iterator[bytes]:
    piece: list[tuple[Any, ...]] = []
    for row in rows:
        piece.append(row)
        if len(piece) == CHUNK:
            yield write(piece)
            piece = []
    if piece:
        yield write(piece)


def _json_lines(rows: list[tuple[Any, ...]]) -> bytes:
    lines = (json.dumps(dict(zip(ENTRY_NAMES, row, strict=True)), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


def _csv_lines(rows: list[tuple[Any, ...]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(map(cell, row) for row in rows)
    return text.getvalue().encode()
