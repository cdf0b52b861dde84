"""Writing many rows at once: COPY on PostgreSQL, batches elsewhere. One function for every app."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db import connection, models

BATCH = 2_000
MOST_PARAMETERS = 30_000


def write_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows of plain values, one a field named, and return how many; nothing is validated.

    JSON fields take Python values. The caller holds the transaction.
    """
    columns: list[models.Field[Any, Any]] = [model._meta.get_field(name) for name in fields]  # type: ignore[misc]
    rows = _with_json(columns, rows)
    quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    write = _copy if connection.vendor == "postgresql" else _insert
    return write(table, quoted, len(columns), rows)


def batched(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield lists of at most `size` items."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch


def _with_json(columns: Sequence[Any], rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    places = {place for place, field in enumerate(columns) if isinstance(field, models.JSONField)}
    if not places:
        return rows
    dump: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    return ([dump(value) if place in places else value for place, value in enumerate(row)] for row in rows)


def _copy(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    written = 0
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
            written += 1
    return written


def _insert(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    marks = ", ".join(["%s"] * width)
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 names come from the models
    written = 0
    with connection.cursor() as cursor:
        for batch in batched(rows, min(BATCH, MOST_PARAMETERS // width)):
            cursor.executemany(statement, batch)
            written += len(batch)
    return written
