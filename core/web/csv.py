"""CSV files for spreadsheets, written with a guard against formulas."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from io import StringIO
from typing import Any

from django.http import HttpResponse

CONTENT_TYPE = "text/csv; charset=utf-8"
# A spreadsheet takes a text that starts so for a formula, or skips it before one; full-width signs too.
FORMULA_STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
# Where the separator of the locale is another one, what follows it begins a cell: in Germany after a semicolon.
# Spaces and quotation marks after the last separator: each separator begins a search of its own.
CELL_WITHIN = re.compile(r"([;|\t\r\n](?:[^\S\t\r\n]|\")*+)(?=[=+\-@＝＋－＠])")


def csv_text(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV (RFC 4180) with guarded cells."""
    target = StringIO(newline="")
    csv.writer(target).writerows(map(guarded_cell, row) for row in rows)
    return target.getvalue()


def csv_response(name: str, rows: Iterable[Iterable[Any]]) -> HttpResponse:
    """Return a CSV as a download under this name."""
    return HttpResponse(
        csv_text(rows),
        content_type=CONTENT_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def unguarded_cell(cell: str) -> str:
    """Return a cell of a file without the guard that it got here."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def guarded_cell(value: Any) -> Any:
    """Return a value as a cell: no text is a formula; truth is `true` or `false`."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return value
    guarded = CELL_WITHIN.sub(r"\1'", value)
    return (
        f"'{guarded}"
        if guarded.startswith(FORMULA_STARTS) or guarded.lstrip().startswith(FORMULA_STARTS)
        else guarded
    )
