"""Pages of a long list by position (keyset): the last page is as fast as the first."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import Http404, QueryDict
from django.utils.translation import gettext

from core.text_values import read_number

Row = TypeVar("Row", bound=Model)
Taken = TypeVar("Taken")
POSITIONS = ("after", "before", "last", "page")
MAX_POSITION_LENGTH = 1000
FOREIGN_POSITION = "The page position in the URL belongs to another list."


class InvalidPositionError(Http404, ValueError):
    """The address carries a position that is none of this list's."""


def encode_position(values: Sequence[Any]) -> str:
    """Return the values of a sort key as an address carries them."""
    text = json.dumps(values, default=str, ensure_ascii=False)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_position(position: str) -> list[str | int]:
    """Return the texts and whole numbers of a position; `InvalidPositionError` for anything else."""
    if len(position) > MAX_POSITION_LENGTH:
        raise InvalidPositionError("The page position in the URL is too long.")
    try:
        padded = position + "=" * (-len(position) % 4)
        values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (ValueError, RecursionError) as error:
        raise InvalidPositionError("The page position in the URL is not valid.") from error
    # Not `isinstance`, for which True is an int.
    if not isinstance(values, list) or not all(type(value) in (str, int) for value in values):
        raise InvalidPositionError(FOREIGN_POSITION)
    return values


@dataclass(frozen=True, slots=True)
class Page(Generic[Taken]):
    """One page: its rows and the addresses of the others, None where there is nothing to go to."""

    rows: Sequence[Taken]
    first_url: str | None = None
    previous_url: str | None = None
    next_url: str | None = None
    last_url: str | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Keyset:
    """The total order of a list, as for `order_by`: `Keyset(("-rating", "name", "fide_id"))`.

    The fields must not be null and must be unique together; related fields (`player__name`) need `select_related`, and
    calculated values (`annotate`) may be among them.
    With `is_crowded`, very many rows may share their first field. A page that starts among them reads them as one range
    of the index, not from the first of them to the position.
    """

    order: tuple[str, ...]
    is_crowded: bool = False

    def page(self, rows: QuerySet[Row], query: QueryDict, *, size: int = 100, label: str = "") -> Page[Row]:
        """Return the page that the query names, in one database query, or in two where rows are crowded.

        InvalidPositionError, a 404, for a position that is none of this list's.
        """
        if before := query.get("before"):
            chosen, more = self.rows_at(rows, size, position=before, backward=True)
            return self._page(chosen, query, label, has_previous=more, has_next=True)
        if "last" in query:
            chosen, more = self.rows_at(rows, size, backward=True)
            return self._page(chosen, query, label, has_previous=more, has_next=False)
        after = query.get("after", "")
        chosen, more = self.rows_at(rows, size, position=after)
        return self._page(chosen, query, label, has_previous=bool(after), has_next=more)

    def position(self, row: Model | Mapping[str, Any]) -> str:
        """Return the position of a row, or of the mapping that `values()` gives in its place."""
        return encode_position([_value(row, name.removeprefix("-")) for name in self.order])

    def rows_at(
        self, rows: QuerySet[Any, Taken], size: int, *, position: str = "", backward: bool = False
    ) -> tuple[list[Taken], bool]:
        """Return the rows after a position, or before it, in list order, and whether more follow that way.

        In one query, or in two where rows are crowded. InvalidPositionError for a position of another list.
        """
        order = tuple(_turn_order(name) for name in self.order) if backward else self.order
        rows = rows.order_by(*order)
        if not position:
            found = list(rows[: size + 1])
        else:
            found = self._after(rows, order, self._read_position(position, rows), size + 1)
        chosen = found[:size]
        return (chosen[::-1] if backward else chosen), len(found) > size

    def _after(
        self, rows: QuerySet[Any, Taken], order: Sequence[str], values: Sequence[Any], wanted: int
    ) -> list[Taken]:
        """Return so many rows after the values; of crowded ones those of the same first field, then the others."""
        if not self.is_crowded:
            return list(rows.filter(_beyond(order, values))[:wanted])
        first, *others = order
        name = first.removeprefix("-")
        found = list(rows.filter(_beyond(others, values[1:]), **{name: values[0]})[:wanted])
        if len(found) < wanted:
            found += rows.filter(**{f"{name}__{_comparison(first)}": values[0]})[: wanted - len(found)]
        return found

    def _page(
        self, rows: Sequence[Row], query: QueryDict, label: str, *, has_previous: bool, has_next: bool
    ) -> Page[Row]:
        previous = query_url(query, before=self.position(rows[0])) if rows and has_previous else None
        following = query_url(query, after=self.position(rows[-1])) if rows and has_next else None
        return Page(
            rows,
            first_url=query_url(query) if has_previous else None,
            previous_url=previous,
            next_url=following,
            last_url=query_url(query, last="1") if has_next else None,
            label=label,
        )

    def _read_position(self, position: str, rows: QuerySet[Any, Any]) -> list[Any]:
        """Return the values of a position; none that no row can have, which a database would stumble over."""
        values = decode_position(position)
        if len(values) != len(self.order):
            raise InvalidPositionError(FOREIGN_POSITION)
        fields = (_order_field(rows, name.removeprefix("-")) for name in self.order)
        return [_check(field, value) for field, value in zip(fields, values, strict=True)]


def _check(field: Any, value: str | int) -> Any:
    try:
        found = field.clean(value, None)
        str(value).encode()
    except (ValidationError, ValueError) as error:
        raise InvalidPositionError(FOREIGN_POSITION) from error
    # Near the first and the last year a change of the time zone overflows.
    is_instant = isinstance(found, datetime)
    if "\x00" in str(value) or (is_instant and (found.tzinfo is None or not 1900 < found.year < 9000)):
        raise InvalidPositionError(FOREIGN_POSITION)
    return found


def _order_field(rows: QuerySet[Any, Any], name: str) -> Any:
    """Return the field of what rows are ordered by: of the model, or of a value calculated for each row."""
    calculated = rows.query.annotations.get(name)
    return calculated.output_field if calculated is not None else _field_of(rows.model, name)


def _field_of(model: type[Model], path: str) -> Any:
    """Return the field at the end of a path: of a relation, the one that it is stored as."""
    name, _, rest = path.partition("__")
    field: Any = model._meta.pk if name == "pk" else model._meta.get_field(name)
    if rest:
        return _field_of(field.related_model, rest)
    return field.target_field if field.is_relation else field


def _turn_order(name: str) -> str:
    return name.removeprefix("-") if name.startswith("-") else f"-{name}"


def _beyond(order: Sequence[str], values: Sequence[Any]) -> Q:
    """Return what lies after the values in this order, bounded by the first field so that its index serves."""
    steps = []
    equal: dict[str, Any] = {}
    for name, value in zip(order, values, strict=True):
        field = name.removeprefix("-")
        steps.append(Q(**equal, **{f"{field}__{_comparison(name)}": value}))
        equal[field] = value
    first = order[0]
    bound = Q(**{f"{first.removeprefix('-')}__{_comparison(first)}e": values[0]})
    return bound & reduce(or_, steps)


def _comparison(name: str) -> str:
    return "lt" if name.startswith("-") else "gt"


def _value(row: Any, name: str) -> Any:
    if isinstance(row, Mapping):
        return row[name]
    return reduce(getattr, name.split("__"), row)


def query_url(query: QueryDict, **values: Any) -> str:
    """Return the address of the same list with other values in the query; None removes one.

    A position belongs to one order of one selection, so the former one is left out.
    """
    target = query.copy()
    for name in (*POSITIONS, *values):
        target.pop(name, None)
    for name, value in values.items():
        if value is not None:
            target[name] = str(value)
    return f"?{target.urlencode()}"


# The database reads all rows before a numbered page, and drops them.
MAX_PAGE_NUMBER = 1000


def page_number(query: Mapping[str, str], *, highest: int = MAX_PAGE_NUMBER) -> int:
    """Return the number of a page that is found by counting (`?page=2`), 1 if none is named.

    InvalidPositionError, a 404, for anything but 1 to `highest`.
    """
    text = query.get("page", "1")
    number = read_number(text, most=highest)
    # A page has one address: `?page=01` is none.
    if not number or text != str(number):
        raise InvalidPositionError(gettext("This page does not exist."))
    return number


def numbered_page(
    query: QueryDict, number: int, *, has_next: bool, last: int | None = None, label: str = ""
) -> Page[Any]:
    """Return the links of a page that is found by counting; its rows are shown otherwise."""
    return Page(
        [],
        first_url=query_url(query, page="1") if number > 1 else None,
        previous_url=query_url(query, page=str(number - 1)) if number > 1 else None,
        next_url=query_url(query, page=str(number + 1)) if has_next else None,
        last_url=query_url(query, page=str(last)) if has_next and last else None,
        label=label,
    )
