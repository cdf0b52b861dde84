"""The rows of an uploaded CSV file: its text, and the rows with errors as fields to correct in the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.web.csv import CsvTable, RowFinding, decode_text, with_cells, with_values

# With all columns, this many rows stay below DATA_UPLOAD_MAX_NUMBER_FIELDS.
MAX_ROWS_SHOWN = 40
LONGEST_CELL = 2000
CELL = re.compile(r"cell-(\d{1,6})-([a-z_]{1,40})")
MAX_CHOICES = 12


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the file. `is_wrong` if an issue concerns the cell or its whole row."""

    column: str
    value: str
    is_wrong: bool


class RowsField(forms.FileField):
    """The field of an uploaded CSV file."""

    default_error_messages = {
        "required": _l("Select a CSV file."),
        "empty": _l("The file is empty."),
        "too-large": _l("Split it."),
    }

    def __init__(self, **given: Any) -> None:
        accepted = forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"})
        super().__init__(label=_l("CSV file"), widget=accepted, **given)


def uploaded_text(form: forms.Form) -> str | None:
    """Return the text of `rows_file`, or None if the form has errors."""
    return decode_text(form.cleaned_data["rows_file"].read()) if form.is_valid() else None


def shown_problems(table: CsvTable, findings: Iterable[RowFinding], text: str) -> dict[str, Any]:
    """Return the template context of the issues: each with its value, once, and the rows to correct in the page."""
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
    """Return the columns: the first, which names the row, then those with issues, then the rest."""
    wrong = {finding.column for finding in findings}
    return [*names[:1], *sorted(names[1:], key=lambda name: name not in wrong)]


def _cells(table: CsvTable, heads: Sequence[str], findings: Sequence[RowFinding], line: int) -> list[Cell]:
    wrong = {finding.column for finding in findings if finding.line == line}
    return [Cell(name, table.rows[line].get(name, ""), name in wrong or wrong == {""}) for name in heads]


def corrected_text(post: QueryDict) -> str:
    """Return the text of the file with the cells that were corrected in the page."""
    cells = {
        (int(match[1]), match[2]): str(post[name])[:LONGEST_CELL]
        for name in post
        if (match := CELL.fullmatch(name))
    }
    return with_cells(str(post.get("text", "")), cells)


def allowed_of(
    field: forms.Field, errors: Sequence[forms.ValidationError], value: str
) -> list[forms.ValidationError]:
    """Return the issues of a cell: the allowed values for a choice field, the expected format for a date."""
    if isinstance(field, forms.DateField) and value.strip():
        message = _("Enter a date as YYYY-MM-DD, for example 2026-03-07.")
        return [forms.ValidationError(message, code="date")]
    if not value.strip() or not isinstance(field, forms.ChoiceField):
        return [*errors]
    choices: Any = field.choices
    return [not_allowed(str(key) for key, _label in choices if key)]


def not_allowed(choices: Iterable[str]) -> forms.ValidationError:
    """Return the error that lists the first allowed values."""
    every = [*choices]
    named = ", ".join(every[:MAX_CHOICES]) + (", …" if len(every) > MAX_CHOICES else "")
    message = _("Not allowed. You may enter %(choices)s.")
    return forms.ValidationError(message, code="not-allowed", params={"choices": named})
