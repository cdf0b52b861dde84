"""Database fields shared by the apps."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import models

_as_bytes = msgspec.json.Encoder().encode
_from_text = msgspec.json.Decoder().decode


def as_json(value: Any) -> str:
    """Return plain values as JSON without blanks; tuples are arrays. `TypeError` for what JSON does not know."""
    return _as_bytes(value).decode()


class CodePointCharField(models.CharField[Any, Any]):
    """Text that sorts by code point on every database, so that the order of a list is the same everywhere.

    SQLite compares UTF-8 bytes, which is the order of code points; PostgreSQL does with the collation "C".
    """

    def db_parameters(self, connection: Any) -> dict[str, Any]:
        parameters: dict[str, Any] = dict(super().db_parameters(connection))
        if connection.vendor == "postgresql":
            parameters["collation"] = "C"
        return parameters


class WholeJSONField(models.JSONField):
    """JSON that is written and read as a whole, and never looked into by the database.

    PostgreSQL keeps it as the text that it is: taking it apart costs more than storing it, by the hundred thousand
    rows of a month, and takes twice the space. SQLite keeps all JSON as text.
    """

    def db_type(self, connection: Any) -> str | None:
        return "text" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if isinstance(value, models.Value) and isinstance(value.output_field, models.JSONField):
            value = value.value
        return value if hasattr(value, "as_sql") else as_json(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else _from_text(value)
