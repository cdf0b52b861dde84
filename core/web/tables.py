"""Tables of any length as people send them, CSV or spreadsheet, read row by row."""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from django.utils.translation import gettext as _

from core.web.csv import unguarded_cell
from core.web.sheet_cells import LIMITS, MAX_COLUMNS
from core.web.sheet_reader import SheetError, convert_sheet, is_packed, too_large

# The line of a row, and its cells.
TableRow = tuple[int, list[str]]
# The head of a table is in one of so many rows.
HEAD_ROWS = 20
PIECE = 1 << 20
# A letter of UTF-8, else a byte that is none.
NOT_ASCII = re.compile(
    rb"([\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})|[\x80-\xff]"
)


@contextmanager
def open_table(path: Path) -> Iterator[Callable[[], Iterator[TableRow]]]:
    """Yield what reads the rows of a file from the first one, each time; those without a word are left out.

    `SheetError` for a file that is no table, also while its rows are read.
    """
    with path.open("rb") as source, TemporaryFile() as converted:
        if is_packed(source.read(8)):
            convert_sheet(source, converted, limits="register")
            yield lambda: _filled(_sheet_rows(converted))
        else:
            encoding = _encoding_of(source)
            yield lambda: _filled(_file_rows(path, encoding))


def csv_rows(lines: Iterable[str]) -> Iterator[TableRow]:
    """Yield the rows of a CSV; its first lines show by what cells are separated.

    `SheetError` where it is none, or has more rows or columns than a sheet may have.
    """
    limits = LIMITS["register"]
    following = _without_nul(lines)
    first = [*islice(following, HEAD_ROWS)]
    # Excel separates by semicolons where the comma is the decimal sign; above a table a title may have commas.
    separator = max(";,\t|", key=lambda mark: max((line.count(mark) for line in first), default=0))
    reader = csv.reader(chain(first, following), delimiter=separator)
    try:
        for count, cells in enumerate(reader, 1):
            if count > limits.rows or len(cells) > MAX_COLUMNS:
                raise too_large(limits)
            # Of a row over several lines this is the last one. Line ends within a cell are blanks.
            yield reader.line_num, [unguarded_cell(" ".join(cell.split())) for cell in cells]
    except csv.Error as error:
        message = _("This row cannot be read: %(why)s. Check its quotation marks.") % {"why": error}
        raise SheetError(f"{reader.line_num}: {message}") from error


def _without_nul(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\x00" in line:
            raise SheetError(
                _("This file cannot be read as a table. Save the table as CSV or XLSX and upload that file.")
            )
        yield line


def _file_rows(path: Path, encoding: str) -> Iterator[TableRow]:
    # The five bytes that mean nothing in Windows-1252 must not refuse a whole file.
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        yield from csv_rows(iter(partial(file.readline, PIECE), ""))


def _sheet_rows(converted: IO[bytes]) -> Iterator[TableRow]:
    converted.seek(0)
    for number, line in enumerate(converted, 1):
        # Sheets may escape any character, also NUL, which the database does not take.
        yield number, [" ".join(cell.replace("\x00", " ").split()) for cell in json.loads(line)]


def _filled(rows: Iterator[TableRow]) -> Iterator[TableRow]:
    return (row for row in rows if any(row[1]))


def _encoding_of(source: IO[bytes]) -> str:
    """Return UTF-16 or UTF-8 where a file is that, UTF-8 with a few damaged letters too, else Windows-1252."""
    source.seek(0)
    if source.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    source.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        while piece := source.read(PIECE):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return "utf-8-sig" if _is_mostly_utf8(source) else "cp1252"
    return "utf-8-sig"


def _is_mostly_utf8(source: IO[bytes]) -> bool:
    """Return whether most of what is not ASCII are letters of UTF-8: two to four bytes that hardly follow by chance."""
    whole = broken = 0
    source.seek(0)
    while piece := source.read(PIECE):
        for found in NOT_ASCII.finditer(piece):
            if found[1]:
                whole += 1
            else:
                broken += 1
    return whole > broken
