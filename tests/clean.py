"""Between tests that commit: the database as the migrations leave it, in milliseconds.

Django empties every table, writes the rows of each `post_migrate` again and lets a test ask for the rows of the
migrations (`serialized_rollback`). Here only tables that hold something are emptied, and the rows of the migrations
stand before each test, with the keys that they had.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db import connection, transaction
from django.db.backends.base.creation import BaseDatabaseCreation
from django.test import TransactionTestCase

Rows = dict[str, Any]
_migrated: Rows = {}


@contextmanager
def cleaning_quickly() -> Iterator[None]:
    """Let the tests of a session clean the database so."""
    with (
        patch.object(BaseDatabaseCreation, "serialize_db_to_string", lambda creation: "[]"),
        patch.object(BaseDatabaseCreation, "deserialize_db_from_string", lambda creation, data: None),
        patch.object(TransactionTestCase, "_fixture_teardown", lambda case: clean()),
    ):
        yield


def remember() -> None:
    """Note what a database holds that was migrated just now."""
    _migrated.update(_rows(_tables_with_rows()))


def clean() -> None:
    """Leave the database as the migrations do."""
    _empty(_tables_with_rows())
    _fill(_migrated)


def _tables_with_rows() -> list[str]:
    quote = connection.ops.quote_name
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    asked = " UNION ALL ".join(
        f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {quote(name)})" for name in sorted(names)
    )
    with connection.cursor() as cursor:
        cursor.execute(asked)
        return [name for (name,) in cursor.fetchall()]


def _rows(tables: list[str]) -> Rows:
    """Return what the tables hold, in the form in which `_fill` writes it fastest."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            return {table: b"".join(_copied(cursor, table)) for table in tables}
        rows: Rows = {}
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows[table] = cursor.fetchall()
        return rows


def _copied(cursor: Any, table: str) -> Iterator[bytes]:
    with cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT") as copy:
        yield from map(bytes, copy)


def _empty(tables: list[str]) -> None:
    if not tables:
        return
    names = [connection.ops.quote_name(name) for name in tables]
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"TRUNCATE {', '.join(names)} CASCADE")
            return
        with transaction.atomic():
            for name in names:
                cursor.execute(f"DELETE FROM {name}")


def _fill(rows: Rows) -> None:
    with connection.constraint_checks_disabled(), transaction.atomic(), connection.cursor() as cursor:
        for table, content in rows.items():
            name = connection.ops.quote_name(table)
            if connection.vendor == "postgresql":
                with cursor.copy(f"COPY {name} FROM STDIN") as copy:
                    copy.write(content)
            else:
                places = ", ".join(["%s"] * len(content[0]))
                cursor.executemany(f"INSERT INTO {name} VALUES ({places})", content)
