"""Spreadsheets (XLSX) and archives: writing tables as they are downloaded, reading sheets as they are sent."""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO, RawIOBase
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
# XML 1.0 has no place for these characters.
FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ROWS_AT_ONCE = 500

PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/styles.xml" ContentType="{TYPE}.styles+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/styles" Target="styles.xml"/></Relationships>',
    # Style 1 is bold, for the head. Readers look for the style that is named Normal, and warn without it.
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><fonts count="2"><font/><font><b/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}


class _Pipe(RawIOBase):
    """What a zip is written into: its bytes are taken away as they come."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._parts.append(bytes(content))
        return len(content)

    def take(self) -> bytes:
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def xlsx(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield the bytes of a workbook with one sheet; cells are texts, whole numbers or None."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w") as archive:
        for path, part in (*PARTS.items(), ("xl/workbook.xml", _workbook(title))):
            archive.writestr(_member(path), HEAD + part)
        with archive.open(_member("xl/worksheets/sheet1.xml"), "w") as sheet:
            for part in _sheet(heads, rows):
                sheet.write(part.encode())
                # Compression keeps what it gets until there is enough of it.
                if ready := pipe.take():
                    yield ready
    yield pipe.take()


def _member(path: str) -> zipfile.ZipInfo:
    # Without a time of its own, so that the same table gives the same bytes.
    member = zipfile.ZipInfo(path)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def _workbook(title: str) -> str:
    # A sheet's name has at most 31 characters, and none of these.
    name = re.sub(r"[\[\]:*?/\\']", " ", title)[:31]
    sheets = f'<sheets><sheet name="{_text(name)}" sheetId="1" r:id="rId1"/></sheets>'
    return f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{sheets}</workbook>'


def _sheet(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    view = f'<sheetViews><sheetView workbookViewId="0">{frozen}</sheetView></sheetViews>'
    yield f'{HEAD}<worksheet xmlns="{MAIN}">{view}<sheetData>' + _row(heads, style=' s="1"')
    lines: list[str] = []
    for row in rows:
        lines.append(_row(row))
        if len(lines) == ROWS_AT_ONCE:
            yield "".join(lines)
            lines.clear()
    yield "".join(lines) + "</sheetData></worksheet>"


def _row(cells: Sequence[Any], style: str = "") -> str:
    return f"<row>{''.join(_cell(cell, style) for cell in cells)}</row>"


def _cell(value: Any, style: str) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"<c{style}><v>{value}</v></c>"
    return f'<c{style} t="inlineStr"><is><t xml:space="preserve">{_text(str(value))}</t></is></c>'


def _text(text: str) -> str:
    return escape(FORBIDDEN.sub("", text), {'"': "&quot;"})


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
        raise SheetError(
            _("This is not an XLSX file that can be read. Save the table again as XLSX or CSV.")
        ) from error


def _local(name: str) -> str:
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
            number = int(text) if text.isdecimal() and len(text) < 8 else len(self.shared)
            return self.shared[number] if number < len(self.shared) else ""
        # A whole number that a program stored as 5.0.
        whole = text.removesuffix(".0") if self._type == "n" else text
        return whole[:MAX_CELL_LENGTH]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
