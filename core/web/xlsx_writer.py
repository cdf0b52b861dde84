"""Tables written as spreadsheets (XLSX) while they are downloaded (ADR 22)."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, cast
from xml.sax.saxutils import escape

from core.web.zip_streams import ZipSink

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
    # Excel takes the first two fills for these, whatever a file says.
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf xfId="0"/><xf fontId="1" applyFont="1" xfId="0"/></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
}


def xlsx(title: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Yield the bytes of a workbook with one sheet; cells are texts, whole numbers or None."""
    sink = ZipSink()
    with zipfile.ZipFile(cast("IO[bytes]", sink), "w") as archive:
        for path, part in (*PARTS.items(), ("xl/workbook.xml", _workbook(title))):
            archive.writestr(_member(path), HEAD + part)
        with archive.open(_member("xl/worksheets/sheet1.xml"), "w") as sheet:
            for part in _sheet(heads, rows):
                sheet.write(part.encode())
                # Compression keeps what it gets until there is enough of it.
                if ready := sink.take():
                    yield ready
    yield sink.take()


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
    # Without references, which are optional (ECMA-376, 18.3.1.4): readers then count rows and cells.
    return f"<row>{''.join(_cell(cell, style) for cell in cells)}</row>"


def _cell(value: Any, style: str) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"<c{style}><v>{value}</v></c>"
    return f'<c{style} t="inlineStr"><is><t xml:space="preserve">{_text(str(value))}</t></is></c>'


def _text(text: str) -> str:
    return escape(FORBIDDEN.sub("", text), {'"': "&quot;"})
