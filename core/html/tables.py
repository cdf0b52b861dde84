"""Tables as values: heads that sort, and small tables that stand beside a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.functional import Promise

Label = str | Promise


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list. `key` is what `?sort=` carries (none: it does not sort)."""

    label: Label
    key: str = ""
    numeric: bool = False
    falling_first: bool = False
    abbr: Label = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column as `partials/heads.html` draws it; `sorted` is a value of `aria-sort` or empty."""

    label: Label
    url: str = ""
    numeric: bool = False
    sorted: str = ""
    abbr: Label = ""
    css: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A small table: heads, and rows of cells in their order; the first cell of a row names it."""

    heads: Sequence[Label]
    rows: Sequence[Sequence[Label]]
    numeric_from: int = 1

    def marked_rows(self) -> Iterator[list[tuple[Label, bool, bool]]]:
        """Give each row as (text, is it the row's name, is it a number)."""
        for row in self.rows:
            yield [(cell, place == 0, place >= self.numeric_from) for place, cell in enumerate(row)]


def sort_heads(
    columns: Sequence[Column], query: QueryDict, *, sort: str, parameter: str = "sort"
) -> list[Head]:
    """Return the heads of a list sorted by `sort` (`rating`, falling `-rating`).

    The link of a head sorts by it; on the column that is sorted already it turns the order round. Position
    parameters of a long list (`after`, `before`, `last`, `page`) are left out, for they mean another order.
    """
    return [_head(column, query, sort=sort, parameter=parameter) for column in columns]


def sort_order(columns: Sequence[Column], wanted: str | None, *, default: str) -> str:
    """Return the order asked for if one of the columns allows it, else the default."""
    keys = {column.key for column in columns if column.key}
    return wanted if wanted and wanted.removeprefix("-") in keys else default


def _head(column: Column, query: QueryDict, *, sort: str, parameter: str) -> Head:
    if not column.key:
        return Head(column.label, numeric=column.numeric, abbr=column.abbr, css=column.css)
    falling = sort == f"-{column.key}"
    is_sorted = falling or sort == column.key
    goes_falling = not falling if is_sorted else column.falling_first
    target = query.copy()
    for position in ("after", "before", "last", "page"):
        target.pop(position, None)
    target[parameter] = f"-{column.key}" if goes_falling else column.key
    order = ("descending" if falling else "ascending") if is_sorted else ""
    return Head(
        column.label, f"?{target.urlencode()}", column.numeric, order, abbr=column.abbr, css=column.css
    )
