"""Column types, an index and a base class that the apps' models share."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from django.conf import settings
from django.db import models

from core.stated import Sentences, Stated, stated_items

_as_bytes = msgspec.json.Encoder().encode
_from_text = msgspec.json.Decoder().decode


def as_json(value: Any) -> str:
    """Return plain values as JSON without blanks; tuples are arrays. `TypeError` for what JSON does not know."""
    return _as_bytes(value).decode()


def account_field(
    *, verbose_name: Any = None, on_delete: Any = models.SET_NULL
) -> models.ForeignKey[Any, Any]:
    """Return a field for the account that did something; what was done stays when the account goes."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=on_delete,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=verbose_name,
    )


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
        # As in Django's own field: a value may come wrapped, or be an expression, which Django compiles.
        if isinstance(value, models.Value) and isinstance(value.output_field, models.JSONField):
            value = value.value
        return value if hasattr(value, "as_sql") else as_json(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else _from_text(value)


class ValueField(WholeJSONField):
    """A value of a declared type (`of`, such as `list[Amendment]`), written as msgspec does and read as that type.

    What it has in it is named where the type is declared. Migrations know the column alone, as `WholeJSONField`: the
    types of the code change after them.
    """

    def __init__(self, *args: Any, of: Any = Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.of = of
        self._read = msgspec.json.Decoder(of).decode

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        if options.get("default") not in (list, dict):
            options.pop("default", None)
        return name, "core.models.WholeJSONField", args, options

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else self._read(value)

    def to_python(self, value: Any) -> Any:
        return msgspec.convert(value, self.of)

    def value_to_string(self, obj: models.Model) -> Any:
        return msgspec.to_builtins(self.value_from_object(obj))


class BlockIndex(models.Index):
    """An index of the blocks of a table in which values lie, for rows written in one go and found in one go.

    PostgreSQL keeps a line for some hundred blocks (BRIN), which costs next to nothing as rows come in; other
    databases get an ordinary index.
    """

    def create_sql(
        self, model: type[models.Model], schema_editor: Any, using: str = "", **kwargs: Any
    ) -> Any:
        method = " USING brin" if schema_editor.connection.vendor == "postgresql" else using
        return super().create_sql(model, schema_editor, using=method, **kwargs)


class Reasoned(models.Model):
    """A row with a reason, or a text of another name. What the portal states in it is kept in `stated` too.

    See `core.stated`.
    """

    sentences: ClassVar[Sentences]
    text_field: ClassVar[str] = "reason"
    stated = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    @property
    def why(self) -> str:
        """The portal's sentences in the language of the page; what a person wrote as it was written."""
        return self.sentences.show(self.stated) if self.stated else str(getattr(self, self.text_field))

    @property
    def stated_reason(self) -> str:
        """The text as it was given, with what the portal states in it."""
        text = str(getattr(self, self.text_field))
        return Stated(text, self.stated) if self.stated else text

    @classmethod
    def columns_of(cls, text: str) -> dict[str, Any]:
        """Return what the columns of a text take."""
        return {cls.text_field: text.strip(), "stated": stated_items(text)}
