"""Filling empty tables of PostgreSQL: without their indexes, which are built when all rows are in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, models

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
