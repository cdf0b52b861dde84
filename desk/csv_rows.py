"""A page that takes a CSV file: its rows are shown with what would come of them, corrected in the page, confirmed."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from core.errors import RefusedError
from core.html.forms import PortalForm
from core.html.refusals import show_refused
from core.web.csv_reader import CsvTable, RowFinding, decode_text, with_cells, with_values
from core.web.typed_forms import form_of, restore_form

# With all columns, this many rows stay below DATA_UPLOAD_MAX_NUMBER_FIELDS.
MAX_ROWS_SHOWN = 40
LONGEST_CELL = 2000
CELL = re.compile(r"cell-(\d{1,6})-([a-z_]{1,40})")
MAX_CHOICES = 12
Row = TypeVar("Row")


@dataclass(slots=True)
class Sheet(Generic[Row]):
    """What a file has: its rows without issues, by line, the issues, and its cells."""

    rows: dict[int, Row] = field(default_factory=dict)
    findings: list[RowFinding] = field(default_factory=list)
    table: CsvTable = field(default_factory=CsvTable)


class Cell(NamedTuple):
    """A cell of the file with its issues."""

    column: str
    value: str
    findings: Sequence[RowFinding]


class RowToCorrect(NamedTuple):
    """A row of the file with the issues of the whole row; the cells that need no correction are folded."""

    name: str
    findings: Sequence[RowFinding]
    cells: Sequence[Cell]
    folded: Sequence[Cell]


class RowsField(forms.FileField):
    """The field of an uploaded CSV file."""

    default_error_messages = {
        "required": _l("Select a CSV file."),
        "empty": _l("The file is empty."),
        "too-large": _l("Split it."),
        "not-csv": _l("This file cannot be read as CSV. Save the table as CSV and select that file."),
    }

    def __init__(self, **given: Any) -> None:
        accepted = forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"})
        super().__init__(label=_l("CSV file"), widget=accepted, **given)

    def clean(self, data: Any, initial: Any = None) -> Any:
        """Return the file; one that is no text is refused at the field, not in a row."""
        file = super().clean(data, initial)
        if b"\x00" in file.read():
            raise forms.ValidationError(self.error_messages["not-csv"], code="not-csv")
        file.seek(0)
        return file


class CsvPage(ABC, Generic[Row]):
    """The page of a request: upload, issues to correct, preview, confirmation. Its template extends `csv_page.html`.

    `columns` are those of the file, each with name, help and whether it is required. `together` are those of which all
    are shown where one is wrong.
    """

    template: ClassVar[str]
    form: ClassVar[type[PortalForm]]
    max_bytes: ClassVar[int]
    together: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    @abstractmethod
    def read(self, text: str) -> Sheet[Row]:
        """Return the rows of a text, with all issues."""

    @abstractmethod
    def preview(self, sheet: Sheet[Row]) -> dict[str, Any]:
        """Return the context of the preview; `rows` is what would come of each, `is_ready` whether to confirm it."""

    @abstractmethod
    def carry_out(self, sheet: Sheet[Row]) -> HttpResponse:
        """Carry out what was previewed, and answer; `RefusedError` if it cannot be done."""

    @abstractmethod
    def columns(self) -> list[dict[str, Any]]: ...

    def answer(self) -> HttpResponse:
        post = self.request.POST
        if self.request.method != "POST":
            # The file itself cannot be kept over a sign-in, the text of the preview can (ADR 13).
            typed = restore_form(self.request)
            return self._show(apply_cells(typed)) if typed else self.page()
        if "correct" in post:
            return self._show(apply_cells(post))
        if "text" in post:
            return self._confirm(post["text"])
        form = form_of(self.request, self.form)
        if not form.is_valid():
            return self.page(form)
        return self._show(decode_text(form.cleaned_data["rows_file"].read()))

    def page(self, form: forms.Form | None = None, **shown: Any) -> HttpResponse:
        """Return the page with a form, and what is shown above it."""
        today = timezone.now().date()
        context = {"form": form or self.form(), "columns": self.columns(), "findings": [], "today": today}
        return render(self.request, self.template, {**context, **shown})

    def _show(self, text: str, *, refused: RefusedError | None = None) -> HttpResponse:
        sheet = self.read(text)
        if sheet.findings:
            return self.page(text=text, **self._problems(sheet))
        # Rows without issues can be refused as a whole: they are too many.
        if refused:
            show_refused(self.request, refused)
        return self.page(text=text, **self.preview(sheet))

    def _problems(self, sheet: Sheet[Row]) -> dict[str, Any]:
        """Return the context of the issues: the rows to correct in the page, and what is wrong elsewhere."""
        findings = with_values(sheet.findings, sheet.table.rows)
        # Findings on the head or on missing columns have no row to correct.
        lines = [
            line for line in dict.fromkeys(finding.line for finding in findings) if line in sheet.table.rows
        ]
        shown = lines[:MAX_ROWS_SHOWN]
        return {
            "findings": findings,
            "elsewhere": [finding for finding in findings if finding.line not in shown],
            "to_correct": {line: self._row(sheet.table, findings, line) for line in shown},
            "rows_left": len(lines) - len(shown),
            "right": [
                (line, values.get(sheet.table.names[0], ""))
                for line, values in sheet.table.rows.items()
                if line not in lines
            ],
        }

    def _row(self, table: CsvTable, findings: Sequence[RowFinding], line: int) -> RowToCorrect:
        values = table.rows[line]
        wrong = defaultdict[str, list[RowFinding]](list)
        for finding in findings:
            if finding.line == line:
                wrong[finding.column].append(finding)
        of_row = wrong.pop("", [])
        # The file may lack some: a row may need what others need not.
        names = list(dict.fromkeys([*table.names, *wrong]))
        cells = [Cell(name, values.get(name, ""), wrong.get(name, ())) for name in names]
        first = {*wrong, *self.together} if self.together & wrong.keys() else {*wrong}
        shown = [cell for cell in cells if not first or cell.column in first]
        return RowToCorrect(cells[0].value, of_row, shown, [cell for cell in cells if cell not in shown])

    def _confirm(self, text: str) -> HttpResponse:
        # Corrected cells may be longer than those of the file, and the text comes back in a field of the
        # form.
        if len(text.encode(errors="replace")) > 2 * self.max_bytes:
            return self.page()
        # Read again: the text came back through the browser, and what it names may have changed since.
        sheet = self.read(text)
        if sheet.findings:
            return self._show(text)
        try:
            return self.carry_out(sheet)
        except RefusedError as error:
            return self._show(text, refused=error)


def apply_cells(post: QueryDict) -> str:
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
