"""Pages of long lists by position, not by count: the last page costs what the first one costs.

A position is the sort key of a row, written into the address: `?after=...`, `?before=...`, `?last=1`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import Http404, QueryDict

Row = TypeVar("Row", bound=Model)

POSITIONS = ("after", "before", "last", "page")
_LONGEST_POSITION = 1000


class InvalidPositionError(Http404):
    """The address carries a position that is none of this list's."""


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page: its rows and the addresses of the others, None where there is nothing to go to."""

    rows: Sequence[Row]
    first_url: str | None = None
    previous_url: str | None = None
    next_url: str | None = None
    last_url: str | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Keyset:
    """The total order of a list, as for `order_by`: `Keyset(("-rating", "name", "fide_id"))`.

    The fields must never be null and together be unique; related fields (`player__name`) need `select_related`.
    Where `is_crowded`, very many rows may share their first field: where a page begins among them they are asked for
    by themselves, as one range of the index, and not read from the first of them to the position.
    """

    order: tuple[str, ...]
    is_crowded: bool = False

    def page(self, rows: QuerySet[Row], query: QueryDict, *, size: int = 100, label: str = "") -> Page[Row]:
        """Return the page that the query names, in one database query, or in two where rows are crowded.

        InvalidPositionError, a 404, for a position that is none of this list's.
        """
        if before := query.get("before"):
            chosen, more = self._take(rows, size, backward=True, position=before)
            return self._page(chosen, query, label, has_previous=more, has_next=True)
        if "last" in query:
            chosen, more = self._take(rows, size, backward=True)
            return self._page(chosen, query, label, has_previous=more, has_next=False)
        after = query.get("after")
        chosen, more = self._take(rows, size, backward=False, position=after)
        return self._page(chosen, query, label, has_previous=bool(after), has_next=more)

    def position(self, row: Model) -> str:
        """Return the position of a row as an address carries it."""
        text = json.dumps([_value(row, name.removeprefix("-")) for name in self.order], default=str)
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    def _take(
        self, rows: QuerySet[Row], size: int, *, backward: bool, position: str | None = None
    ) -> tuple[list[Row], bool]:
        order = tuple(_turned(name) for name in self.order) if backward else self.order
        rows = rows.order_by(*order)
        if not position:
            found = list(rows[: size + 1])
        else:
            values = self._read(position)
            _refuse_others(rows.model, order, values)
            found = self._after(rows, order, values, size + 1)
        chosen = found[:size]
        return (chosen[::-1] if backward else chosen), len(found) > size

    def _after(
        self, rows: QuerySet[Row], order: Sequence[str], values: Sequence[Any], wanted: int
    ) -> list[Row]:
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
        previous = _address(query, "before", self.position(rows[0])) if rows and has_previous else None
        following = _address(query, "after", self.position(rows[-1])) if rows and has_next else None
        return Page(
            rows,
            first_url=_address(query) if has_previous else None,
            previous_url=previous,
            next_url=following,
            last_url=_address(query, "last", "1") if has_next else None,
            label=label,
        )

    def _read(self, position: str) -> list[Any]:
        if len(position) > _LONGEST_POSITION:
            raise InvalidPositionError("The position in the address is too long.")
        try:
            padded = position + "=" * (-len(position) % 4)
            values = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        except ValueError as error:
            raise InvalidPositionError("The position in the address cannot be read.") from error
        if not isinstance(values, list) or len(values) != len(self.order):
            raise InvalidPositionError("The position in the address is of another list.")
        if not all(isinstance(value, str | int) for value in values):
            raise InvalidPositionError("The position in the address is of another list.")
        return values


def _refuse_others(model: type[Model], order: Sequence[str], values: Sequence[Any]) -> None:
    """Refuse values that no row of the model can have, which a database would stumble over."""
    for name, value in zip(order, values, strict=True):
        try:
            _field_of(model, name.removeprefix("-")).clean(value, None)
        except ValidationError as error:
            raise InvalidPositionError("The position in the address is of another list.") from error
        if "\x00" in str(value):
            raise InvalidPositionError("The position in the address is of another list.")


def _field_of(model: type[Model], path: str) -> Any:
    """Return the field at the end of a path: of a relation, the one that it is stored as."""
    name, _, rest = path.partition("__")
    field: Any = model._meta.pk if name == "pk" else model._meta.get_field(name)
    if rest:
        return _field_of(field.related_model, rest)
    return field.target_field if field.is_relation else field


def _turned(name: str) -> str:
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


def _value(row: Model, name: str) -> Any:
    return reduce(getattr, name.split("__"), row)


def _address(query: QueryDict, name: str = "", value: str = "") -> str:
    target = query.copy()
    for position in POSITIONS:
        target.pop(position, None)
    if name:
        target[name] = value
    return f"?{target.urlencode()}"
