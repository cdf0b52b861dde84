"""Database fields shared by the apps."""

from __future__ import annotations

from typing import Any

from django.db import models


class CodePointCharField(models.CharField[Any, Any]):
    """Text that sorts by code point on every database, so that the order of a list is the same everywhere.

    SQLite compares UTF-8 bytes, which is the order of code points; PostgreSQL does with the collation "C".
    """

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        parameters: dict[str, Any] = dict(super().db_parameters(connection))
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters
