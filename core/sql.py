"""Expressions of SQL that Django does not have, and locks, for PostgreSQL and SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, models
from django.db.models.expressions import RawSQL


def ids_subquery(values: Iterable[int]) -> RawSQL:
    """Return integers for a lookup `field__in` as a subquery with one parameter."""
    if connection.vendor == "postgresql":
        # As text: the driver would convert each number separately.
        return RawSQL("SELECT unnest(%s::bigint[])", [f"{{{','.join(map(str, values))}}}"])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(values))])


def texts_subquery(values: Iterable[str]) -> RawSQL:
    """Return texts for a lookup `field__in` as a subquery with one parameter."""
    # A statement has at most 32,766 parameters on SQLite.
    if connection.vendor == "postgresql":
        return RawSQL("SELECT unnest(%s::text[])", [list(values)])
    return RawSQL("SELECT value FROM json_each(%s)", [json.dumps(list(values))])


class Among(models.Func):
    """Whether a column has one of many texts or integers, in one pass over its rows.

    PostgreSQL joins the rows of a subquery instead, by loops where it expects few rows of the table: a table that grew
    in the same transaction took minutes.
    """

    output_field = models.BooleanField()

    def __init__(self, column: str, values: Iterable[int] | Iterable[str]) -> None:
        super().__init__(column)
        self.values = list(values)

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        kind = (
            "text"
            if isinstance(self.get_source_expressions()[0].output_field, models.CharField)
            else "bigint"
        )
        template = f"%(expressions)s = ANY(%%s::{kind}[])"
        sql, params = self.as_sql(compiler, connection, template=template, **context)
        return sql, (*params, self.values)

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = "%(expressions)s IN (SELECT value FROM json_each(%%s))"
        sql, params = self.as_sql(compiler, connection, template=template, **context)
        return sql, (*params, json.dumps(self.values))


class OctetLength(models.Func):
    """The number of bytes of a column of bytes."""

    arity = 1
    function = "OCTET_LENGTH"
    output_field = models.IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite counts the bytes of a blob by its only LENGTH."""
        return self.as_sql(compiler, connection, function="LENGTH", **context)


def lock_until_commit(number: int) -> None:
    """Wait for other transactions that hold the lock of this number; SQLite has one writer in any case."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def lock_person(person: Any) -> None:
    """Wait for other transactions in which the same person acts."""
    get_user_model()._default_manager.select_for_update().get(pk=person.pk)
