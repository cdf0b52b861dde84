"""Spreadsheets that people upload: the texts of the first sheet, and nothing that costs too much."""

from __future__ import annotations

import zipfile
from io import BytesIO
from xml.etree import ElementTree

import pytest

from core.web.xlsx_reader import MAX_COLUMNS, MAX_PART_BYTES, MAX_ROWS, SheetError, read_xlsx
from core.web.xlsx_writer import xlsx as written

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEETS = '<sheets><sheet name="A" sheetId="1" r:id="rId2"/></sheets>'
BOOK = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">{SHEETS}</workbook>'
RELATIONS = '<Relationships><Relationship Id="rId2" Target="worksheets/sheet7.xml"/></Relationships>'


def xlsx(sheet: str, *, shared: str = "", book: str = BOOK, before: str = "") -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", book)
        archive.writestr("xl/_rels/workbook.xml.rels", RELATIONS)
        archive.writestr(
            "xl/worksheets/sheet7.xml",
            f'{before}<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
        )
        if shared:
            archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{shared}</sst>')
    return target.getvalue()


def test_cells_stand_at_their_place_whatever_form_they_have() -> None:
    shared = "<si><t>Name</t></si><si><r><t>Ald</t></r><r><t>er</t></r><rPh><t>no</t></rPh></si>"
    sheet = (
        '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2"><v>5.0</v></c></row>'
        '<row r="3"><c r="A3" t="s"><v>1</v></c><c r="B3" t="inlineStr"><is><t>x &amp; y</t></is></c>'
        '<c r="D3" t="str"><f>1+1</f><v>2</v></c><c r="E3" t="s"><v>9</v></c></row>'
    )

    assert read_xlsx(xlsx(sheet, shared=shared)) == [[], ["Name", "", "5"], ["Alder", "x & y", "", "2", ""]]


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 and no zip",
        xlsx("", book="<workbook/>"),
        xlsx("<row>"),
        xlsx("", before='<!DOCTYPE x [<!ENTITY a "b">]>'),
        xlsx(f'<row r="{MAX_ROWS + 1}"/>'),
        xlsx('<row r="99999999999999"/>' * 2 + f'<row r="{MAX_ROWS}"/><row r="1"/>'),
        xlsx('<row r="1"><c r="ZZZ1"><v>1</v></c></row>'),
        xlsx('<row r="1">' + "<c><v>1</v></c>" * (MAX_COLUMNS + 1) + "</row>"),
        xlsx('<c r="A1"><v>1</v></c>'),
    ],
)
def test_what_is_no_spreadsheet_or_too_large_is_refused(content: bytes) -> None:
    with pytest.raises(SheetError):
        read_xlsx(content)


def test_a_part_that_unpacks_to_too_much_is_not_unpacked() -> None:
    bomb = xlsx("<!--" + " " * (MAX_PART_BYTES + 1) + "-->")

    assert len(bomb) < 100_000
    with pytest.raises(SheetError, match="too large"):
        read_xlsx(bomb)


def test_an_archive_with_too_many_entries_is_refused() -> None:
    target = BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for number in range(1001):
            archive.writestr(f"{number}", "")

    with pytest.raises(SheetError, match="too large"):
        read_xlsx(target.getvalue())


@pytest.mark.parametrize(
    ("sheet", "before"),
    [
        ("<row><c><v>1</v></c></row>", '<?xml version="1.0" encoding="foo"?>'),
        ("<row><c><v>1</v></c></row>", '<?xml version="1.0" encoding="gb2312"?>'),
        ("<c><v>1</v><row/></c>", ""),
    ],
)
def test_odd_sheets_are_refused_in_words(sheet: str, before: str) -> None:
    with pytest.raises(SheetError, match=r"can be read|too large"):
        read_xlsx(xlsx(sheet, before=before))


def test_damaged_file_is_refused_in_words() -> None:
    whole = xlsx("".join(f"<row><c><v>{number * 7919}</v></c></row>" for number in range(400)))
    middle = whole.index(b"sheet7.xml", 300) + 60
    with pytest.raises(SheetError, match="can be read"):
        read_xlsx(whole[:middle] + bytes(range(200, 255)) + whole[middle + 55 :])


def test_table_is_compressed_and_gives_the_same_bytes() -> None:
    rows = [[number, "Alder, Ada"] for number in range(1_000)]

    first, second = (b"".join(written("rapid", ["ID", "Name"], rows)) for _ in range(2))

    assert first == second
    with zipfile.ZipFile(BytesIO(first)) as archive:
        assert all(member.compress_size < member.file_size for member in archive.infolist())
    assert read_xlsx(first)[-1] == ["999", "Alder, Ada"]


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
