"""The parts of a table: columns, heads, and small tables of cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

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
