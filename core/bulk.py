"""Rows written in bulk: by COPY on PostgreSQL, in batches elsewhere."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from django.db import connection, models

from core.models import as_json

# Where rows wait that change those of a table.
STAGED = "staged"
BATCH = 2_000
COPY_BATCH = 20_000


def write_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows of plain values, one a field named, and return how many; nothing is validated.

    JSON fields take Python values. The caller opens the transaction.
    """
    columns = _columns(model, fields)
    rows = _with_json(columns, rows)
    write = _copy if connection.vendor == "postgresql" else _insert
    return write(_table(model), _names(columns), len(columns), rows)


def stream_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert rows as `write_rows` does, producing them while the database stores earlier ones.

    They must not come from a query on the same connection.
    """
    if connection.vendor != "postgresql":
        return write_rows(model, fields, rows)
    columns = _columns(model, fields)
    with connection.cursor() as cursor:
        return _copy_batch(cursor, _table(model), _names(columns), _with_json(columns, rows))


def write_missing_rows(
    model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Insert the rows of plain values that are not there yet by a unique constraint; the others stay as they are."""
    columns = _columns(model, fields)
    target = f"INSERT INTO {_table(model)} ({_names(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # One parameter for each column: PostgreSQL takes 65,535 in a statement, which rows would soon exceed.
            arrays = ", ".join(f"%s::{field.db_type(connection)}[]" for field in columns)
            # Without rows `zip` gives no columns, but `unnest` needs an array for each.
            values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
            cursor.execute(f"{target} SELECT * FROM unnest({arrays}) ON CONFLICT DO NOTHING", values)  # noqa: S608
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"{target} VALUES ({marks}) ON CONFLICT DO NOTHING", rows)


def insert_from_query(
    rows: models.QuerySet[Any], model: type[models.Model], columns: Mapping[str, Any]
) -> None:
    """Insert the rows of a query inside the database, by an expression for each column of the model.

    The caller opens the transaction.
    """
    quote = connection.ops.quote_name
    aliases = {f"new_{name}": expression for name, expression in columns.items()}
    select, values = rows.values(**aliases).query.sql_with_params()
    names, sources = ", ".join(map(quote, columns)), ", ".join(map(quote, aliases))
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {sources} FROM ({select}) AS made", values)  # noqa: S608


def update_rows(model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
    """Update fields of existing rows and return how many rows were given; nothing is validated.

    The first field is the primary key; JSON fields take Python values. The caller opens the transaction.
    """
    model_fields = _columns(model, fields)
    key, *columns = [connection.ops.quote_name(str(field.column)) for field in model_fields]
    update = _update_from_copy if connection.vendor == "postgresql" else _update
    update(_table(model), key, columns, _with_json(model_fields, rows))
    return len(rows)


def analyze_tables(*tables: type[models.Model]) -> None:
    """Run ANALYZE so that the planner has current statistics."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for table in tables:
                cursor.execute(f"ANALYZE {connection.ops.quote_name(table._meta.db_table)}")


def batched(rows: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield lists of at most `size` items."""
    iterator = iter(rows)
    while batch := list(islice(iterator, size)):
        yield batch


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection in the block. Bulk rows create no cycles; this saves about 10%."""
    # Within another such block, which enables it again at its own end.
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _columns(model: type[models.Model], fields: Sequence[str]) -> list[models.Field[Any, Any]]:
    return [model._meta.get_field(name) for name in fields]  # type: ignore[misc]


def _names(columns: Iterable[models.Field[Any, Any]]) -> str:
    return ", ".join(connection.ops.quote_name(str(field.column)) for field in columns)


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _with_json(columns: Sequence[Any], rows: Iterable[Sequence[Any]]) -> Iterable[Sequence[Any]]:
    places = {place for place, field in enumerate(columns) if isinstance(field, models.JSONField)}
    if not places:
        return rows
    # As in Django, nothing is no value, and not the JSON `null`.
    return (
        [
            as_json(value) if place in places and value is not None else value
            for place, value in enumerate(row)
        ]
        for row in rows
    )


def _copy(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    """COPY batch by batch: rows may come from a query on the same connection, which a COPY would block."""
    with connection.cursor() as cursor:
        return sum(_copy_batch(cursor, table, columns, batch) for batch in batched(rows, COPY_BATCH))


def _copy_batch(cursor: Any, table: str, columns: str, rows: Iterable[Sequence[Any]]) -> int:
    written = 0
    # COPY is the driver's own: its errors would not be those that Django's callers look for.
    with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
            written += 1
    return written


def _insert(table: str, columns: str, width: int, rows: Iterable[Sequence[Any]]) -> int:
    marks = ", ".join(["%s"] * width)
    statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"  # noqa: S608 names come from the models
    written = 0
    with connection.cursor() as cursor:
        for batch in batched(rows, BATCH):
            cursor.executemany(statement, batch)
            written += len(batch)
    return written


def _update_from_copy(table: str, key: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    names = ", ".join((key, *columns))
    values = ", ".join(f"{column} = staged.{column}" for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            # COPY only inserts: the new values wait in a table of the transaction.
            f"CREATE TEMPORARY TABLE {STAGED} ON COMMIT DROP AS SELECT {names} FROM {table} WITH NO DATA"  # noqa: S608
        )
        _copy(STAGED, names, len(columns) + 1, rows)
        cursor.execute(f"UPDATE {table} SET {values} FROM staged WHERE {table}.{key} = staged.{key}")  # noqa: S608
        # The transaction may update once more.
        cursor.execute(f"DROP TABLE {STAGED}")


def _update(table: str, key: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    values = ", ".join(f"{column} = %s" for column in columns)
    statement = f"UPDATE {table} SET {values} WHERE {key} = %s"  # noqa: S608 names come from the models
    with connection.cursor() as cursor:
        cursor.executemany(statement, [(*row[1:], row[0]) for row in rows])


# Filling empty tables of PostgreSQL: without their indexes, which are built when all rows are in.

# The first list of a portal has to be in within 90 s: to build an index after the rows takes a tenth of the time of
# keeping it in order with every row.
MEMORY = "128MB"

CONSTRAINTS = """
    SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE conrelid = %s::regclass AND contype IN ('f', 'u') ORDER BY contype DESC, conname
"""
INDEXES = """
    SELECT relname, pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = %s::regclass
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid) ORDER BY relname
"""
IS_OWNER = "SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = %s::regclass"


@contextmanager
def loading(*tables: type[models.Model]) -> Iterator[None]:
    """Fill the empty tables among them without their indexes, and create these again at the end.

    Queries on such a table wait for the end of the transaction, which the caller opens. Other tables, and other
    databases, keep their indexes.
    """
    if connection.vendor != "postgresql":
        yield
        return
    _settle_constraints()
    fresh = [table for table in tables if _is_fresh(table)]
    again = [statement for table in fresh for statement in _without_indexes(table)]
    yield
    _settle_constraints()
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL maintenance_work_mem = '{MEMORY}'")
        for statement in again:
            cursor.execute(statement)
        for table in tables:
            cursor.execute(f"ANALYZE {_name(table)}")


def _settle_constraints() -> None:
    """Check the foreign keys of the rows written so far: while any wait, no table of theirs can be changed."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _is_fresh(table: type[models.Model]) -> bool:
    """Return whether the table is empty and may be changed; if so, lock it."""
    manager = table._default_manager
    if manager.exists():
        return False
    with connection.cursor() as cursor:
        # Only who owns a table may drop its indexes; the rights to read and write do not include that.
        cursor.execute(IS_OWNER, [_name(table)])
        if cursor.fetchone() != (True,):
            return False
        cursor.execute(f"LOCK TABLE {_name(table)} IN ACCESS EXCLUSIVE MODE")
    # Somebody may have written a row before the lock was there.
    return not manager.exists()


def _without_indexes(table: type[models.Model]) -> Sequence[str]:
    """Drop the table's foreign keys, unique constraints and indexes; return the statements that bring them back."""
    name = _name(table)
    constraints, indexes = _rows(CONSTRAINTS, name), _rows(INDEXES, name)
    with connection.cursor() as cursor:
        for constraint, _ in constraints:
            cursor.execute(f"ALTER TABLE {name} DROP CONSTRAINT {_quote(constraint)}")
        for index, _ in indexes:
            cursor.execute(f"DROP INDEX {_quote(index)}")
    added = [f"ALTER TABLE {name} ADD CONSTRAINT {_quote(key)} {text}" for key, text in constraints]
    return [*(text for _, text in indexes), *added]


def _rows(query: str, table: str) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(query, [table])
        return list(cursor.fetchall())


def _name(table: type[models.Model]) -> str:
    return _quote(table._meta.db_table)


def _quote(name: str) -> str:
    return connection.ops.quote_name(name)
