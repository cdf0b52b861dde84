"""Spreadsheets (XLSX) read as they are sent, within limits."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from io import BytesIO
from xml.parsers import expat

from django.utils.translation import gettext as _

from core.text_values import read_number

MAX_PART_BYTES = 16 * 1024 * 1024
MAX_ENTRIES = 1000
MAX_ROWS = 5000
MAX_COLUMNS = 256
MAX_CELL_LENGTH = 1000
XLSX_START = b"PK\x03\x04"
WORKBOOK, RELATIONS, SHARED = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml"
REFERENCE = re.compile(r"([A-Z]{1,3})(\d{1,7})")
Attributes = dict[str, str]


class SheetError(ValueError):
    """The file is not a readable spreadsheet; the message is for users."""


def is_xlsx(content: bytes) -> bool:
    """Return whether the content is a zip archive with a workbook."""
    # The directory of a ZIP is not compressed: the names of its files are there to be read.
    return content.startswith(XLSX_START) and WORKBOOK.encode() in content


# What the readers of archives and of XML raise on damaged data, unknown encodings and cells out of place.
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, LookupError, ValueError,
    OSError, EOFError,
)  # fmt: skip


def read_xlsx(content: bytes) -> list[list[str]]:
    """Return the cells of the first sheet as texts, row by row; empty rows too, so that their numbers are kept.

    `SheetError` for what is no XLSX, or exceeds the limits.
    """
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            if len(archive.infolist()) > MAX_ENTRIES:
                raise SheetError(_too_large())
            names = set(archive.namelist())
            shared = _Strings()
            if SHARED in names:
                _parse(_part(archive, SHARED), shared)
            sheet = _Sheet(shared.texts)
            _parse(_part(archive, _first_sheet(archive)), sheet)
    except SheetError:
        raise
    except UNREADABLE as error:
        raise SheetError(_unreadable()) from error
    return sheet.rows


def _unreadable() -> str:
    return _("This is not an XLSX file that can be read. Save the table again as XLSX or CSV.")


def _too_large() -> str:
    return _("The spreadsheet is too large: at most %(rows)d rows and %(columns)d columns.") % {
        "rows": MAX_ROWS,
        "columns": MAX_COLUMNS,
    }


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a part of the archive. Never unpack more than the limit, even if the archive states a smaller size."""
    with archive.open(name) as part:
        content = part.read(MAX_PART_BYTES + 1)
    if len(content) > MAX_PART_BYTES:
        raise SheetError(_too_large())
    return content


def _first_sheet(archive: zipfile.ZipFile) -> str:
    """Return the name of the part of the first sheet, by the order of the workbook."""
    book, relations = _Collected("sheet"), _Collected("Relationship")
    _parse(_part(archive, WORKBOOK), book)
    _parse(_part(archive, RELATIONS), relations)
    targets = {one.get("Id", ""): one.get("Target", "") for one in relations.found}
    if not book.found:
        raise KeyError("no sheet")
    target = targets[book.found[0].get("r:id", "")]
    # openpyxl writes targets from the root of the archive, Excel from the folder of the workbook.
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


class _Handler:
    """Callbacks for the elements of a part."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Handle the start of an element."""

    def end(self, name: str) -> None:
        """Handle the end of an element."""

    def text(self, data: str) -> None:
        """Handle the text of an element, in one or more pieces."""


def _parse(content: bytes, handler: _Handler) -> None:
    parser = expat.ParserCreate()

    # Entities that contain each other grow without limit, and no spreadsheet needs any.
    def refuse(*_arguments: object) -> None:
        raise SheetError(_("The spreadsheet has a document type declaration, which is not allowed."))

    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, attributes: handler.start(_local(name), attributes)
    parser.EndElementHandler = lambda name: handler.end(_local(name))
    parser.CharacterDataHandler = handler.text
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise SheetError(_unreadable()) from error


def _local(name: str) -> str:
    # Some programs write every element with a prefix.
    return name.rpartition(":")[2]


@dataclass
class _Collected(_Handler):
    """The attributes of all elements of a name."""

    name: str
    found: list[Attributes] = field(default_factory=list)

    def start(self, name: str, attributes: Attributes) -> None:
        if name == self.name:
            self.found.append(attributes)


@dataclass
class _Strings(_Handler):
    """The texts that cells share; readings of Asian names (`rPh`) are no part of them."""

    texts: list[str] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _is_text: bool = False
    _is_reading: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "si":
            self._pieces = []
        self._is_reading = self._is_reading or name == "rPh"
        self._is_text = name == "t"

    def end(self, name: str) -> None:
        self._is_text = False
        if name == "rPh":
            self._is_reading = False
        if name == "si":
            self.texts.append("".join(self._pieces)[:MAX_CELL_LENGTH])

    def text(self, data: str) -> None:
        if self._is_text and not self._is_reading:
            self._pieces.append(data)


@dataclass
class _Sheet(_Handler):
    """The rows of a sheet, each cell at its place."""

    shared: list[str]
    rows: list[list[str]] = field(default_factory=list)
    _type: str = ""
    _column: int = 0
    _pieces: list[str] = field(default_factory=list)
    _is_value: bool = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "row":
            self._begin_row(attributes.get("r", ""))
        elif name == "c":
            self._begin_cell(attributes)
        self._is_value = name in ("v", "t")

    def end(self, name: str) -> None:
        self._is_value = False
        if name == "c" and self._pieces:
            row = self.rows[-1]
            row.extend([""] * (self._column - len(row)))
            row[self._column - 1] = self._value("".join(self._pieces))

    def text(self, data: str) -> None:
        if self._is_value:
            self._pieces.append(data)

    def _begin_row(self, number: str) -> None:
        wanted = int(number) if number.isdecimal() and len(number) < 8 else len(self.rows) + 1
        if wanted > MAX_ROWS or wanted <= len(self.rows):
            raise SheetError(_too_large())
        self.rows.extend([] for _ in range(wanted - len(self.rows)))
        self._column = 0

    def _begin_cell(self, attributes: Attributes) -> None:
        place = REFERENCE.fullmatch(attributes.get("r", ""))
        self._column = _column_number(place[1]) if place else self._column + 1
        if self._column > MAX_COLUMNS or not self.rows:
            raise SheetError(_too_large())
        self._type, self._pieces = attributes.get("t", "n"), []

    def _value(self, text: str) -> str:
        if self._type == "s":
            number = read_number(text, most=len(self.shared) - 1)
            return "" if number is None else self.shared[number]
        # A whole number that a program stored as 5.0.
        whole = text.removesuffix(".0") if self._type == "n" else text
        return whole[:MAX_CELL_LENGTH]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
