"""CSV files as people send them, read with issues by line and column."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class RowFinding:
    """A problem in a file: the line, the column (empty for the whole line), the reason and its code.

    `value` is the content of the cell.
    """

    line: int
    column: str
    message: str
    value: str = ""
    code: str = ""


@dataclass(slots=True)
class CsvTable:
    """The cells of each line by the names of the columns, and what is wrong with the file itself."""

    rows: dict[int, dict[str, str]] = field(default_factory=dict)
    findings: list[RowFinding] = field(default_factory=list)
    names: Sequence[str] = ()


def decode_text(content: bytes) -> str:
    """Return the text of a file in UTF-8, or else in Windows-1252."""
    try:
        # Excel begins UTF-8 with a byte order mark, and saves plain CSV in the code page of Windows.
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Five bytes mean nothing in Windows-1252: one of them must not refuse a whole file.
        return content.decode("cp1252", errors="replace")


def read_table(
    text: str,
    *,
    required: Sequence[str],
    optional: Sequence[str],
    most: int,
) -> CsvTable:
    """Read a CSV with commas or semicolons and a line of column names; rows without a word are left out.

    Rows that cannot be read are findings. With more than `most` rows, or findings about the columns, none is read.
    """
    table = CsvTable()
    lines = _lines(text, table)
    head = next(lines, None)
    if head is None:
        if not table.findings:
            message = _("The file has no row with column names. Add one.")
            table.findings.append(RowFinding(1, "", message, code="no-head"))
        return table
    names = [name.strip().lower() for name in head[1]]
    # Where none of them is a name of a column the first row is a row of the table.
    table.names = names if set(names) & {*required, *optional} else ()
    table.findings += _head_findings(names, required, (*required, *optional))
    if not table.findings:
        _read_rows(lines, names, table, most)
    return table


def with_values(findings: Iterable[RowFinding], rows: Mapping[int, Mapping[str, str]]) -> list[RowFinding]:
    """Return findings by line, each once, with the values of their cells."""
    each = dict.fromkeys(
        replace(item, value=rows.get(item.line, {}).get(item.column, "")) for item in findings
    )
    return sorted(each, key=lambda item: item.line)


def with_cells(text: str, cells: Mapping[tuple[int, str], str]) -> str:
    """Return the text of a CSV with other values in some cells, by line and name of the column.

    The text as it is where it cannot be read; a row that is not there is left out, a column is added.
    """
    reader, target = _reader(text), StringIO(newline="")
    writer = csv.writer(target, delimiter=reader.dialect.delimiter)
    names: list[str] = []
    try:
        for row in reader:
            if not names and any(cell.strip() for cell in row):
                names = [name.strip().lower() for name in row]
                added = dict.fromkeys(name for _line, name in cells if name not in names)
                names, row = [*names, *added], [*row, *added]
            else:
                changed = {
                    name: cells[reader.line_num, name] for name in names if (reader.line_num, name) in cells
                }
                row = row + [""] * (len(names) - len(row)) if changed else row
                row = [*map(changed.get, names, row), *row[len(names) :]] if changed else row
            writer.writerow(row)
    except csv.Error:
        return text
    return target.getvalue()


def _reader(text: str) -> Any:
    # Where the comma is the decimal separator, Excel separates cells by semicolons.
    first = text.partition("\n")[0]
    return csv.reader(
        StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ","
    )


def _lines(text: str, table: CsvTable) -> Iterator[tuple[int, list[str]]]:
    reader = _reader(text)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                # Of a row over several lines this is the last one.
                yield reader.line_num, cells
    except csv.Error as error:
        message = _("This row cannot be read: %(why)s. Check its quotation marks.") % {"why": error}
        table.findings.append(RowFinding(reader.line_num, "", message, code="unreadable"))


def _head_findings(
    names: Sequence[str], required: Sequence[str], columns: Sequence[str]
) -> Iterator[RowFinding]:
    if not set(names) & set(columns):
        message = _("The first row has no column names. Put them above it: %(names)s.")
        yield RowFinding(1, "", message % {"names": ", ".join(columns)}, code="no-head")
        return
    for name in required:
        if name not in names:
            message = _("This column is missing. Copy the column names from the template.")
            yield RowFinding(1, name, message, code="column-missing")
    for name in dict.fromkeys(names):
        if name not in columns:
            message = _("Unknown column “%(name)s”. Copy the column names from the template.")
            yield RowFinding(1, "", message % {"name": name[:40]}, code="column-unknown")
        elif names.count(name) > 1:
            message = _("This column appears more than once. Delete one.")
            yield RowFinding(1, name, message, code="column-twice")


def _read_rows(
    lines: Iterator[tuple[int, list[str]]], names: Sequence[str], table: CsvTable, most: int
) -> None:
    for number, (line, cells) in enumerate(lines, start=1):
        if number > most:
            message = _("The file has more than %(most)d rows. Split it into smaller files.") % {"most": most}
            table.findings.append(RowFinding(line, "", message, code="too-many-rows"))
            return
        if len(cells) > len(names):
            message = _("This row has more cells than columns.")
            table.findings.append(RowFinding(line, "", message, code="too-many-cells"))
            continue
        # Spreadsheets leave out the empty cells at the end of a row.
        table.rows[line] = dict(zip(names, map(str.strip, cells), strict=False))
    if not table.rows and not table.findings:
        message = _("The file has column names but no rows. Add at least one row.")
        table.findings.append(RowFinding(1, "", message, code="no-rows"))
