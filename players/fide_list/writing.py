"""Writers of single lists: FIDE's TXT and XML, and the portal's own CSV and JSON.

Each yields the file in pieces of some thousand rows. The same rows give the same bytes. All take the kind and
the date, though TXT has no place for the kind, and XML and CSV for neither.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from players.fide_list.table_rows import CSV_HEAD, csv_row, json_row
from players.fide_list.text_row import heading, text_row
from players.fide_list.values import ExportRow
from players.fide_list.xml_row import xml_row

_ROWS_A_PIECE: Final = 4096


def write_txt(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list in FIDE's TXT layout: lines of 136 ASCII characters, CRLF, the month in the heading.

    Names are transliterated (see `transliteration`) and cut at 61 characters. Other titles that do not fit
    their column run into the one of the arena title; whole titles that fit neither are left out.
    """
    yield heading(date).encode("ascii")
    for piece in _pieces(rows):
        yield "".join(map(text_row, piece)).encode("ascii", "replace")


def write_xml(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list in FIDE's XML layout: UTF-8, one element a line, no declaration.

    Characters that XML does not allow are left out.
    """
    yield b"<playerslist>\n"
    for piece in _pieces(rows):
        yield "".join(map(xml_row, piece)).encode("utf-8")
    yield b"</playerslist>\n"


def write_csv(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list as CSV (RFC 4180): UTF-8, CRLF, a head with the names of the JSON; `inactive` true or false.

    A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return)
    gets an apostrophe before it.
    """
    yield CSV_HEAD
    for piece in _pieces(rows):
        yield "".join(map(csv_row, piece)).encode("utf-8", "replace")


def write_json(rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str) -> Iterator[bytes]:
    """Yield a list as one JSON object, UTF-8, one player a line: kind, date, rules, players."""
    head = json.dumps({"kind": kind, "date": date.isoformat(), "rules": rules}, separators=(",", ":"))
    yield (head.removesuffix("}") + ',"players":[').encode("ascii")
    separator = "\n"
    for piece in _pieces(rows):
        yield (separator + ",\n".join(map(json_row, piece))).encode("utf-8", "backslashreplace")
        separator = ",\n"
    yield b"\n]}\n"


def _pieces(rows: Iterable[ExportRow]) -> Iterator[list[ExportRow]]:
    iterator = iter(rows)
    while piece := list(islice(iterator, _ROWS_A_PIECE)):
        yield piece
