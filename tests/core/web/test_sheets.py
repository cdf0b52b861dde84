"""Spreadsheets that people upload: the texts of the first sheet, and nothing that costs too much."""

from __future__ import annotations

import resource
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.web.sheet_cells import MAX_ROWS, MAX_UNPACKED_BYTES, SECONDS
from core.web.sheet_reader import OLE_START, SheetError, is_spreadsheet, read_sheet
from core.web.xlsx_writer import xlsx as written

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
BOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
    '<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>'
)
PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"/>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{OFFICE}/worksheet" Target="worksheets/sheet7.xml"/></Relationships>',
    "xl/workbook.xml": BOOK,
    # The second format is that of days.
    "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
    "</styleSheet>",
}
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
OFFICE_1 = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"


def zipped(parts: Mapping[str, str]) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            # The first file of an ODS is not compressed (OpenDocument 1.3, part 2, 3.3).
            archive.writestr(name, part, zipfile.ZIP_STORED if name == "mimetype" else None)
    return target.getvalue()


def xlsx(sheet: str, *, shared: str = "", before: str = "", **parts: str) -> bytes:
    own = {
        "xl/worksheets/sheet7.xml": f'<worksheet xmlns="{MAIN}">{before}<sheetData>{sheet}</sheetData></worksheet>'
    }
    if shared:
        own["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}">{shared}</sst>'
    return zipped(PARTS | own | parts)


def ods(rows: str) -> bytes:
    table = f'<table:table table:name="A">{rows}</table:table>'
    text = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
    names = f'xmlns:office="{OFFICE_1}" xmlns:table="{TABLE}" xmlns:text="{text}"'
    content = (
        f"<office:document-content {names}><office:body><office:spreadsheet>{table}"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped({"mimetype": mimetype, "META-INF/manifest.xml": manifest, "content.xml": content})


def row_of(*cells: str, at: int = 1) -> str:
    return f'<row r="{at}">{"".join(cells)}</row>'


def test_cells_stand_at_their_place_as_people_type_them() -> None:
    shared = "<si><t>Name</t></si><si><r><t>Ald</t></r><r><t>er</t></r><rPh><t>no</t></rPh></si>"
    sheet = (
        row_of('<c r="A2" t="s"><v>0</v></c><c r="C2"><v>5.0</v></c><c r="D2"><v>4.5</v></c>', at=2)
        + '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="inlineStr"><is><t>x &amp; y</t></is></c>'
        + '<c r="C3" s="1"><v>32907</v></c><c r="D3" t="str"><f>1+1</f><v>2</v></c></row>'
    )

    content = xlsx(sheet, shared=shared)

    assert is_spreadsheet(content)
    assert read_sheet(content) == [
        ["", "", "", ""],
        ["Name", "", "5", "4.5"],
        ["Alder", "x & y", "1990-02-03", "2"],
    ]


def test_ods_and_xls_are_read_alike() -> None:
    day = '<table:table-cell office:value-type="date" office:date-value="1990-02-03"/>'
    name = '<table:table-cell office:value-type="string"><text:p>Alder</text:p></table:table-cell>'
    found = {
        "ods": ods(f"<table:table-row>{name}{day}</table:table-row>"),
        "xls": Path("tests/core/web/alder.xls").read_bytes(),
    }

    assert {name: (is_spreadsheet(one), read_sheet(one)) for name, one in found.items()} == dict.fromkeys(
        found, (True, [["Alder", "1990-02-03"]])
    )


CELL, NAMED = '<c r="{}"><v>1</v></c>', '<c t="s"><v>0</v></c>'
DAMAGED = bytearray(xlsx("".join(row_of(f"<c><v>{at * 7919}</v></c>", at=at) for at in range(1, 400))))
DAMAGED[len(DAMAGED) // 2 : len(DAMAGED) // 2 + 40] = bytes(40)


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 and no zip",
        OLE_START + bytes(2000),
        zipped({"xl/workbook.xml": BOOK}),
        bytes(DAMAGED),
        xlsx("", **{"xl/workbook.xml": "<workbook/>"}),
    ],
    ids=["zip", "ole", "parts", "damaged", "no sheet"],
)
def test_what_is_no_spreadsheet_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(SheetError, match="cannot be read"):
        read_sheet(content)


@pytest.mark.parametrize(
    "content",
    [
        xlsx(row_of(CELL.format(f"A{MAX_ROWS + 1}"), at=MAX_ROWS + 1)),
        xlsx(row_of(CELL.format("IW1"))),
        xlsx(row_of(CELL.format("A1")) + row_of(CELL.format("XFD1048576"), at=1_048_576)),
        xlsx(row_of(CELL.format("A1")) + row_of(CELL.format("IV5000"), at=5000)),
        xlsx(f"<row>{NAMED * 200}</row>" * 200, shared=f"<si><t>{'x' * 1000}</t></si>"),
        xlsx(f"<row>{NAMED * 250}</row>" * 100, shared=f"<si><t>{'x' * 1_000_000}</t></si>"),
        xlsx(row_of(CELL.format("A1")), before=f"<!--{' ' * MAX_UNPACKED_BYTES}-->"),
        zipped({f"{number}": "" for number in range(1001)}),
        ods(
            '<table:table-row table:number-rows-repeated="6000"><table:table-cell office:value-type="string" '
            f'table:number-columns-repeated="16000" office:string-value="{"x" * 100_000}"/></table:table-row>'
        ),
    ],
    ids=["rows", "columns", "far corner", "cells", "repeated", "memory", "bomb", "entries", "repeats of ODS"],
)
def test_what_would_take_much_is_refused_in_little_time(content: bytes) -> None:
    assert len(content) < 150_000
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime

    with pytest.raises(SheetError, match="too large"):
        read_sheet(content)

    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used < SECONDS + 1


def test_archive_that_states_less_than_it_unpacks_to_is_refused() -> None:
    content = xlsx(row_of(CELL.format("A1")), before=f"<!--{' ' * MAX_UNPACKED_BYTES}-->")
    with zipfile.ZipFile(BytesIO(content)) as archive:
        size = archive.getinfo("xl/worksheets/sheet7.xml").file_size

    with pytest.raises(SheetError):
        read_sheet(content.replace(size.to_bytes(4, "little"), (1000).to_bytes(4, "little")))


@pytest.mark.parametrize(
    ("before", "extra"),
    [
        ('<dimension ref="A1:XFD1048576"/>', ""),
        ("", f"<si>{'<t/>' * 1000}</si>" * 100),
    ],
    ids=["dimension", "strings"],
)
def test_what_is_only_stated_costs_nothing(before: str, extra: str) -> None:
    assert read_sheet(xlsx(row_of(CELL.format("A1")), before=before, shared=extra)) == [["1"]]


def test_table_is_compressed_and_gives_the_same_bytes() -> None:
    rows = [[number, "Alder, Ada"] for number in range(1_000)]

    first, second = (b"".join(written("rapid", ["ID", "Name"], rows)) for _ in range(2))

    assert first == second
    with zipfile.ZipFile(BytesIO(first)) as archive:
        assert all(member.compress_size < member.file_size for member in archive.infolist())
    assert read_sheet(first)[-1] == ["999", "Alder, Ada"]


def test_workbook_names_the_default_style_that_readers_look_for() -> None:
    """Without it openpyxl, and pandas with it, warns at every file: "Workbook contains no default style"."""
    with zipfile.ZipFile(BytesIO(b"".join(written("rapid", ["Name"], [["Alder"]])))) as archive:
        styles = ElementTree.fromstring(archive.read("xl/styles.xml"))  # noqa: S314 our own
    named = styles.findall(f"{{{MAIN}}}cellStyles/{{{MAIN}}}cellStyle")
    bases = styles.findall(f"{{{MAIN}}}cellStyleXfs/{{{MAIN}}}xf")

    assert [(one.get("name"), one.get("builtinId"), one.get("xfId")) for one in named] == [
        ("Normal", "0", "0")
    ]
    assert len(bases) == 1
