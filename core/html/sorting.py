"""The order of a table that its reader chooses by a head."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import QueryDict

from core.html.paging import query_url
from core.html.tables import Column, Head


def sort_heads(
    columns: Sequence[Column], query: QueryDict, *, sort: str, parameter: str = "sort"
) -> list[Head]:
    """Return the heads of a list sorted by `sort` (`rating`, falling `-rating`).

    The link of a head sorts by it; on the column that is sorted already it turns the order round. A position is left
    out, because it belongs to another order.
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
    url = query_url(query, **{parameter: f"-{column.key}" if goes_falling else column.key})
    order = ("descending" if falling else "ascending") if is_sorted else ""
    return Head(column.label, url, column.numeric, order, abbr=column.abbr, css=column.css)
