"""Files that are uploaded in place of a report: known by their first bytes, or by how their text looks."""

from __future__ import annotations

import re
from itertools import islice

# The first bytes of other files, and the code that says what they are.
STARTS = {
    b"%PDF": "pdf-file",
    b"PK\x03\x04": "archive-file",
    b"\x1f\x8b": "archive-file",
    b"Rar!": "archive-file",
    b"7z\xbc\xaf": "archive-file",
    b"\xd0\xcf\x11\xe0": "office-file",
    b"{\\rtf": "office-file",
    b"\x89PNG": "binary-file",
    b"\xff\xd8\xff": "binary-file",
    b"GIF8": "binary-file",
    b"\x00\x01\x00\x00Standard Jet DB": "program-database",
    b"\x00\x01\x00\x00Standard ACE DB": "program-database",
    b"SQLite format 3\x00": "program-database",
}
# Spreadsheets and documents are archives too; these names are near their start.
IN_OFFICE_FILES = (b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis.opendocument", b"_rels/")
SAMPLE = 65_536
LINES = 60
MARKUP = re.compile(r"\s*<(?:!doctype\s+html|!--|html|head|body|table)[\s>-]", re.IGNORECASE)
XML = re.compile(r"\s*<[?!a-z]", re.IGNORECASE)
OBJECT = re.compile(r"\s*[\[{]\s*[\"\[{]")
PGN = re.compile(r"\[(?:Event|Site|White|Black|Round) \"", re.MULTILINE)
RATING_LIST = re.compile(r"ID ?Number\s+Name\b", re.IGNORECASE)
# Vega's own file has the tags of a report, and the fields of a player between strokes.
VEGA = re.compile(r"001 ?\d+\|.*\|.*\|")
# What Vega gives its pairing engine has its own name for the city, and none of these records.
VEGA_CITY, NOT_FOR_ENGINES = "022 VEGA", {"032", "102", "122", "132"}
# Tables as they are copied from a spreadsheet or a page of results.
CELLS = re.compile(r"[;\t|]|,(?=\S)")
FEWEST_CELLS, FEWEST_ROWS = 4, 3
# What a report of any dialect has.
RECORD = re.compile(r"(?:0[0-9][12]|1[0-9]2) ", re.MULTILINE)


def known_by_bytes(data: bytes) -> str | None:
    """Return the code of what is known to be no text by its first bytes, None for others."""
    code = next((code for start, code in STARTS.items() if data.startswith(start)), None)
    if code == "archive-file" and any(name in data[:SAMPLE] for name in IN_OFFICE_FILES):
        return "office-file"
    return code


def known_by_text(text: str) -> str | None:
    """Return the code of what a text is that is no report, None for a report and for what is not known."""
    sample = text[:SAMPLE]
    lines = [line for line in islice(sample.splitlines(), LINES) if line.strip()]
    if any(VEGA.match(line) for line in lines):
        return "vega-file"
    has_vega_city = any(line.rstrip() == VEGA_CITY for line in lines)
    if has_vega_city and NOT_FOR_ENGINES.isdisjoint(line[:3] for line in lines):
        return "vega-engine-file"
    if MARKUP.match(sample):
        return "html-page"
    if XML.match(sample):
        return "html-page" if "<html" in sample.lower() else "program-file"
    if OBJECT.match(sample) and not PGN.match(sample.lstrip()):
        return "program-file"
    if PGN.search(sample[: SAMPLE // 16]):
        return "pgn-file"
    if lines and RATING_LIST.match(lines[0].strip()):
        return "rating-list-file"
    rows = sum(len(CELLS.findall(line)) >= FEWEST_CELLS for line in lines)
    is_table = rows >= FEWEST_ROWS and 2 * rows > len(lines)
    return "table-file" if is_table and not any(RECORD.match(line) for line in lines) else None
