"""Many registrations from one CSV: each row through the form of a single one, its findings by row and column."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from portal.ui.forms import PortalFormRenderer
from tournaments.forms.registration import RegistrationForm
from tournaments.services.registration import RegistrationRequest

MOST_ROWS = 500
MOST_BYTES = 1024 * 1024
REQUIRED = ("name", "federation", "kind", "time_control", "start", "end", "chief_arbiter", "is_stated_rated")
OPTIONAL = ("city", "schedule", "organiser", "has_unequal_times", "is_match", "match_waiver", "is_hybrid")
COLUMNS = (*REQUIRED, *OPTIONAL)
YES_OR_NO = ("is_stated_rated", "has_unequal_times", "is_match", "is_hybrid")
WORDS = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False, "": False}


@dataclass(frozen=True, slots=True)
class RowFinding:
    """What is wrong in a file: the line, the name of the column or nothing for the whole line, and why."""

    line: int
    column: str
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line that says a registration."""

    line: int
    request: RegistrationRequest


@dataclass(slots=True)
class Sheet:
    """What a file says, and what is wrong in it."""

    rows: list[Row] = field(default_factory=list)
    findings: list[RowFinding] = field(default_factory=list)


class BulkForm(forms.Form):
    """The file; or, to confirm, the text that was shown."""

    default_renderer = PortalFormRenderer()

    rows_file = forms.FileField(
        label=_l("CSV file"),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}),
        help_text=_l("At most 500 rows and 1 MiB, in UTF-8 or Windows-1252, with commas or semicolons."),
        error_messages={"required": _l("Choose a CSV file."), "empty": _l("The file is empty.")},
    )


def text_of(content: bytes) -> str:
    """Return the text of a file in UTF-8, or else in Windows-1252."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def read_sheet(text: str, *, user: Any) -> Sheet:
    """Read the rows of a CSV as registrations of the person, with every finding."""
    sheet = Sheet()
    if "\x00" in text:
        sheet.findings.append(RowFinding(1, "", _("This is no CSV file: it has NUL characters.")))
        return sheet
    lines = _lines(text, sheet)
    head = next(lines, None)
    if head is None:
        if not sheet.findings:
            sheet.findings.append(RowFinding(1, "", _("The file has no line with the names of the columns.")))
        return sheet
    names = [name.strip().lower() for name in head[1]]
    sheet.findings += _head_findings(names)
    if not sheet.findings:
        _read_rows(lines, names, sheet, user)
    return sheet


def _lines(text: str, sheet: Sheet) -> Iterator[tuple[int, list[str]]]:
    first = text.partition("\n")[0]
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ","
    )
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        message = _("The line cannot be read: %(why)s. Check its quotation marks.") % {"why": error}
        sheet.findings.append(RowFinding(reader.line_num, "", message))


def _head_findings(names: Sequence[str]) -> Iterator[RowFinding]:
    for name in REQUIRED:
        if name not in names:
            yield RowFinding(1, name, _("The column is missing. Take the names from the template."))
    for name in dict.fromkeys(names):
        if name not in COLUMNS:
            message = _("There is no column “%(name)s”. Take the names from the template.")
            yield RowFinding(1, "", message % {"name": name[:40]})
        elif names.count(name) > 1:
            yield RowFinding(1, name, _("The column stands twice."))


def _read_rows(lines: Iterator[tuple[int, list[str]]], names: Sequence[str], sheet: Sheet, user: Any) -> None:
    for number, (line, cells) in enumerate(lines, start=1):
        if number > MOST_ROWS:
            message = _("At most %(most)d rows are taken at once. Split the file.") % {"most": MOST_ROWS}
            sheet.findings.append(RowFinding(line, "", message))
            return
        if len(cells) > len(names):
            sheet.findings.append(RowFinding(line, "", _("The line has more cells than there are columns.")))
            continue
        _read_row(line, dict(zip(names, map(str.strip, cells), strict=False)), sheet, user)
    if not sheet.rows and not sheet.findings:
        sheet.findings.append(RowFinding(1, "", _("No row stands below the names of the columns.")))


def _read_row(line: int, values: Mapping[str, str], sheet: Sheet, user: Any) -> None:
    wrong = [name for name in YES_OR_NO if values.get(name, "").lower() not in WORDS]
    sheet.findings += [RowFinding(line, name, _("Write yes or no.")) for name in wrong]
    data = {
        **values,
        "federation": values.get("federation", "").upper(),
        "kind": values.get("kind", "").lower(),
        "schedule": values.get("schedule", "").replace(";", "\n"),
        **{name: WORDS.get(values.get(name, "").lower(), False) for name in YES_OR_NO},
    }
    form = RegistrationForm(data, user=user)
    if form.is_valid() and not wrong:
        sheet.rows.append(Row(line, form.request()))
        return
    for name, messages in form.errors.items():
        column = name if name in COLUMNS else ""
        sheet.findings += [RowFinding(line, column, str(message)) for message in messages]
