"""Pages by position: a cursor is the sort key of the last row, so that the last page costs what the first one does."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from rest_framework.exceptions import ValidationError

Row = TypeVar("Row", bound=Model)
LONGEST = 1000
HIGHEST = 2_147_483_647


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= HIGHEST:
        raise ValueError("no whole number of a key")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\x00" in value:
        raise ValueError("no text of a key")
    value.encode()
    return value


def _day(value: Any) -> date:
    return date.fromisoformat(_text(value))


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(_text(value))
    if moment.tzinfo is None or not 1900 < moment.year < 9000:
        raise ValueError("no moment of a key")
    return moment


READERS: dict[type, Callable[[Any], Any]] = {int: _whole, str: _text, date: _day, datetime: _moment}


@dataclass(frozen=True, slots=True)
class Key:
    """A field of a total order: how it is called in the query and on a row, of which type, rising or falling."""

    name: str
    type: type
    is_falling: bool = False
    attribute: str = ""

    @property
    def order(self) -> str:
        """The field as `order_by` takes it."""
        return f"-{self.name}" if self.is_falling else self.name

    @property
    def beyond(self) -> str:
        """The lookup of what follows a value."""
        return f"{self.name}__{'lt' if self.is_falling else 'gt'}"

    def value_of(self, row: Any) -> Any:
        """Return the key's value of a row."""
        if isinstance(row, dict):
            return row[self.attribute or self.name]
        return reduce(getattr, (self.attribute or self.name).split("__"), row)


@dataclass(frozen=True, slots=True)
class Order:
    """A total order of rows by fields that are never null and together unique."""

    keys: tuple[Key, ...]

    def cursor(self, row: Any) -> str:
        """Return the cursor of what follows a row."""
        values = [key.value_of(row) for key in self.keys]
        text = json.dumps(values, default=lambda value: value.isoformat(), ensure_ascii=False)
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def read(self, cursor: str) -> list[Any]:
        """Return the values of a cursor; a fault of the parameter for one that was not given out here."""
        try:
            if len(cursor) > LONGEST:
                raise ValueError("too long")
            padded = cursor + "=" * (-len(cursor) % 4)
            values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
            if not isinstance(values, list):
                raise ValueError("no key")
            return [READERS[key.type](value) for key, value in zip(self.keys, values, strict=True)]
        except (ValueError, RecursionError) as error:
            raise ValidationError({"cursor": "Take the cursor from `next` of the page before."}) from error

    def after(self, rows: QuerySet[Row], cursor: str) -> QuerySet[Row]:
        """Return the rows that follow a cursor; all where it is empty."""
        return rows.filter(self._beyond(self.read(cursor))) if cursor else rows

    def take(self, rows: QuerySet[Row, Any], cursor: str, limit: int) -> tuple[list[Any], str]:
        """Return a page of rows in one query, and the cursor of the next one, empty where there is none."""
        ordered = self.after(rows, cursor).order_by(*(key.order for key in self.keys))
        return self.cut(list(ordered[: limit + 1]), limit)

    def cut(self, found: Sequence[Any], limit: int) -> tuple[list[Any], str]:
        """Return the page of rows of which one more than its size was read, and the cursor of the next page."""
        page = list(found[:limit])
        return page, self.cursor(page[-1]) if len(found) > limit else ""

    def _beyond(self, values: Sequence[Any]) -> Q:
        steps = []
        equal: dict[str, Any] = {}
        for key, value in zip(self.keys, values, strict=True):
            steps.append(Q(**equal, **{key.beyond: value}))
            equal[key.name] = value
        # The bound by the first field lets its index serve.
        first = self.keys[0]
        return Q(**{f"{first.beyond}e": values[0]}) & reduce(or_, steps)
