"""The rows of an uploaded CSV: its text, and the rows to correct as a table of fields and back in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

from core.web.csv import CsvTable, RowFinding, decode_text, with_cells, with_values
from core.web.files import too_large_field

# So many rows are corrected at once: with all their columns they stay below the most fields of a form.
MAX_ROWS_SHOWN = 40
LONGEST_CELL = 2000
CELL = re.compile(r"cell-(\d{1,6})-([a-z_]{1,40})")
MAX_CHOICES = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as it is in the file; `is_wrong` where something is to be corrected in it or in its whole row."""

    column: str
    value: str
    is_wrong: bool


def uploaded_text(request: HttpRequest, form: forms.Form, *, too_large: str) -> str | None:
    """Return the text of a form's `rows_file`; None where the form has errors, `too_large` for a file that was cut."""
    is_too_large = bool(too_large_field(request))
    is_valid = form.is_valid()
    if is_too_large:
        form.errors.pop("rows_file", None)
        form.add_error("rows_file", too_large)
    return decode_text(form.cleaned_data["rows_file"].read()) if is_valid and not is_too_large else None


def shown_problems(table: CsvTable, findings: Iterable[RowFinding], text: str) -> dict[str, Any]:
    """Return the context of the problems: each once with the value that was found, and rows to correct in the page."""
    each = with_values(findings, table.rows)
    lines = [line for line in dict.fromkeys(finding.line for finding in each) if line in table.rows]
    heads = _wrong_first(table.names, each)
    return {
        "findings": each,
        "text": text,
        "heads": heads,
        "grid": {line: _cells(table, heads, each, line) for line in lines[:MAX_ROWS_SHOWN]},
        "rows_left": max(0, len(lines) - MAX_ROWS_SHOWN),
    }


def _wrong_first(names: Sequence[str], findings: Sequence[RowFinding]) -> list[str]:
    """Return the columns with the one that names the row first, then those in which something is wrong."""
    wrong = {finding.column for finding in findings}
    return [*names[:1], *sorted(names[1:], key=lambda name: name not in wrong)]


def _cells(table: CsvTable, heads: Sequence[str], findings: Sequence[RowFinding], line: int) -> list[Cell]:
    wrong = {finding.column for finding in findings if finding.line == line}
    return [Cell(name, table.rows[line].get(name, ""), name in wrong or wrong == {""}) for name in heads]


def corrected_text(post: QueryDict) -> str:
    """Return the text of a file with the cells as they were corrected in the page."""
    cells = {
        (int(match[1]), match[2]): str(post[name])[:LONGEST_CELL]
        for name in post
        if (match := CELL.fullmatch(name))
    }
    return with_cells(str(post.get("text", "")), cells)


def allowed_of(field: forms.Field, messages: Sequence[str], value: str) -> list[str]:
    """Return what is wrong with a cell: of a field of choices, which may be entered; else the messages of the field."""
    if isinstance(field, forms.DateField) and value.strip():
        return [_("Enter a date as YYYY-MM-DD, for example 2026-03-07.")]
    if not value.strip() or not isinstance(field, forms.ChoiceField):
        return [*messages]
    choices: Any = field.choices
    return [not_allowed(str(key) for key, _label in choices if key)]


def not_allowed(choices: Iterable[str]) -> str:
    """Return that a value is not one of the choices, and the first of these."""
    every = [*choices]
    named = ", ".join(every[:MAX_CHOICES]) + (", …" if len(every) > MAX_CHOICES else "")
    return _("Not allowed. You may enter %(choices)s.") % {"choices": named}
