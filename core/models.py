"""Column types, an index, base classes and stored texts that the apps' models share."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import msgspec
from django.db import models
from django.utils.formats import date_format
from django.utils.translation import gettext, override
from simple_history.manager import HistoricalQuerySet
from simple_history.models import HistoricalRecords

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


class StoredTexts:
    """Sentences of the portal among stored texts of people: stored in English, read in the language of the page.

    A sentence is found anywhere in a text. One without a full stop is the whole text. `choices` have the labels that a
    placeholder can be. The placeholders `days` are dates, see `day_in_words`.
    """

    _PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")
    _DAY = re.compile(r"\d{4}-\d\d(?:-\d\d)?|(?:\d{1,2} )?[A-Z][a-z]+ \d{4}")

    def __init__(
        self, *templates: str, days: Collection[str] = (), **choices: type[models.TextChoices]
    ) -> None:
        self.templates, self.days, self.choices = templates, days, choices

    @staticmethod
    def stored(template: str, **values: Any) -> str:
        with override("en"):
            return template % values

    def shown(self, text: str) -> str:
        """Return a stored text with the sentences of the portal in the language of the page."""
        for template in self.templates:
            text = self._shown(template, text)
        return text

    def _shown(self, template: str, text: str) -> str:
        parts, done = [], 0
        while done < len(text) and (found := self._found(template, text, done)):
            begin, end, values = found
            parts += [text[done:begin], self._translated(template, values)]
            done = end
        return "".join([*parts, text[done:]])

    def _found(self, template: str, text: str, begin: int) -> tuple[int, int, dict[str, str]] | None:
        """Return where a sentence begins and ends, with its values, each as short as can be; None if it is not there.

        Not by a regular expression: one that may begin anywhere reads to the end of the text from each place.
        """
        (first, *literals), names = (
            self._PLACEHOLDER.split(template)[::2],
            self._PLACEHOLDER.split(template)[1::2],
        )
        is_whole = not template.endswith(".")
        while True:
            begin = text.find(first, begin)
            if begin < 0 or (is_whole and begin > 0):
                return None
            end, values = begin + len(first), {}
            for number, (name, literal) in enumerate(zip(names, literals, strict=True), start=1):
                stop = _end_of_value(text, literal, end + 1, is_last=number == len(names), is_whole=is_whole)
                if stop < 0:
                    return None
                values[name], end = text[end:stop], stop + len(literal)
            starts_here = not begin or text[begin - 1].isspace()
            if starts_here and _ends_word(text, end) and all(map(self._can_be, values, values.values())):
                return begin, end, values
            begin += 1

    def _can_be(self, name: str, value: str) -> bool:
        if name in self.days:
            return bool(self._DAY.fullmatch(value))
        return name not in self._labels or value in self._labels[name]

    def _translated(self, template: str, values: dict[str, Any]) -> str:
        values |= {
            name: labels.get(values[name], "") for name, labels in self._labels.items() if name in values
        }
        values |= {name: day_in_words(values[name]) for name in self.days if name in values}
        # A number is read as text.
        return self._PLACEHOLDER.sub(r"%(\1)s", gettext(template)) % values

    @cached_property
    def _labels(self) -> dict[str, dict[str, Any]]:
        with override("en"):
            return {
                name: {str(one.label): one.label for one in choices} for name, choices in self.choices.items()
            }


def _ends_word(text: str, place: int) -> bool:
    return place == len(text) or text[place].isspace()


def _end_of_value(text: str, literal: str, start: int, *, is_last: bool, is_whole: bool) -> int:
    """Return where the text after a value begins, at or after `start`; -1 if there is none."""
    if is_last and is_whole:
        stop = len(text) - len(literal)
        return stop if stop >= start and text.endswith(literal) else -1
    stop = text.find(literal, start)
    while is_last and stop >= 0 and not _ends_word(text, stop + len(literal)):
        stop = text.find(literal, stop + 1)
    return stop


# How dates are in stored sentences, and how a page shows them.
_DAY_FORMATS = {
    "%Y-%m-%d": "DATE_FORMAT",
    "%d %B %Y": "DATE_FORMAT",
    "%Y-%m": "YEAR_MONTH_FORMAT",
    "%B %Y": "YEAR_MONTH_FORMAT",
}


def day_in_words(text: str) -> str:
    """Return a day or month in the language of the page, given as `2026-02-01`, or as in English sentences."""
    for stored, shown in _DAY_FORMATS.items():
        with suppress(ValueError):
            return date_format(datetime.strptime(text, stored).date(), shown)  # noqa: DTZ007 - no instant
    return text


class Reasoned:
    """A row with a reason, which may be one of the portal's own: `reasons`."""

    reasons: ClassVar[StoredTexts]
    reason: Any

    @property
    def why(self) -> str:
        """The reason in the language of the page."""
        return self.reasons.shown(self.reason)


class AppendOnlyError(Exception):
    """Somebody tried to change or delete what is written once."""


class AppendOnlyQuerySet(models.QuerySet[Any]):
    """Rows that can be added to and read."""

    def update(self, **values: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never deleted.")

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__}: rows are never changed.")


AppendOnlyManager = models.Manager.from_queryset(AppendOnlyQuerySet)


class AppendOnly(models.Model):
    """A row that is written once. Only the database clears its reference to a removed account."""

    objects = AppendOnlyManager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Write a new row; `AppendOnlyError` for one that is there."""
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__}: rows are never changed.")
        super().save(*args, **options)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise AppendOnlyError(f"{type(self).__name__}: rows are never deleted.")


class HistoryQuerySet(AppendOnlyQuerySet, HistoricalQuerySet):
    """A model's history as rows that can be read."""


class History(HistoricalRecords):
    """The history of a model, written once: no row of it is changed or deleted afterwards."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, bases=[AppendOnly], historical_queryset=HistoryQuerySet, **options)
