"""The parts of a table: columns, heads, their order, and small tables of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.html.paging import query_url

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

    def written_rows(self) -> Iterator[SafeString]:
        """Give the cells of each row as markup, written at once: a template for each cell costs more than a chart."""
        for row in self.rows:
            yield mark_safe(
                "".join(self._cell(place, format_html("{}", cell)) for place, cell in enumerate(row))
            )

    def _cell(self, place: int, text: str) -> str:
        if place == 0:
            return f'<th scope="row">{text}</th>'
        return f'<td class="num">{text}</td>' if place >= self.numeric_from else f"<td>{text}</td>"


# The order of a table that its reader chooses by a head.
def sort_heads(columns: Sequence[Column], query: QueryDict, *, sort: str) -> list[Head]:
    """Return the heads of a list sorted by `sort` (`rating`, falling `-rating`).

    The link of a head sorts by it; on the column that is sorted already it turns the order round. A position is left
    out, because it belongs to another order.
    """
    return [_head(column, query, sort=sort) for column in columns]


def sort_order(columns: Sequence[Column], wanted: str | None, *, default: str) -> str:
    """Return the order asked for if one of the columns allows it, else the default."""
    keys = {column.key for column in columns if column.key}
    return wanted if wanted and wanted.removeprefix("-") in keys else default


def _head(column: Column, query: QueryDict, *, sort: str) -> Head:
    if not column.key:
        return Head(column.label, numeric=column.numeric, abbr=column.abbr, css=column.css)
    falling = sort == f"-{column.key}"
    is_sorted = falling or sort == column.key
    goes_falling = not falling if is_sorted else column.falling_first
    url = query_url(query, sort=f"-{column.key}" if goes_falling else column.key)
    order = ("descending" if falling else "ascending") if is_sorted else ""
    return Head(column.label, url, column.numeric, order, abbr=column.abbr, css=column.css)
