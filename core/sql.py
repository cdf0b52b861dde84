"""Expressions of SQL that Django does not have, for PostgreSQL and SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

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


class OctetLength(models.Func):
    """The number of bytes of a column of bytes."""

    arity = 1
    function = "OCTET_LENGTH"
    output_field = models.IntegerField()

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """SQLite counts the bytes of a blob by its only LENGTH."""
        return self.as_sql(compiler, connection, function="LENGTH", **context)
