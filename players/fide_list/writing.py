"""Writers of single lists: FIDE's TXT and XML, and the portal's own CSV and JSON.

Each yields the file in pieces of some thousand rows. The same rows give the same bytes. All take the kind and
the date, though TXT has no place for the kind, and XML and CSV for neither.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from players.fide_list.lines import CSV_HEAD, lines_of, txt_heading
from players.fide_list.values import ExportRow

_ROWS_A_PIECE: Final = 4096


class _Format(NamedTuple):
    """How a file begins and ends, what stands between its lines, and what becomes of characters that it cannot hold."""

    head: Callable[[str, datetime.date, str], bytes]
    tail: bytes
    encoding: str
    errors: str
    before: str = ""
    between: str = ""

    def piece(self, lines: Sequence[str], *, is_first: bool) -> bytes:
        begin = self.before if is_first else self.between
        return (begin + self.between.join(lines)).encode(self.encoding, self.errors)


def _txt_head(kind: str, date: datetime.date, rules: str) -> bytes:
    return txt_heading(date).encode("ascii")


def _xml_head(kind: str, date: datetime.date, rules: str) -> bytes:
    return b"<playerslist>\n"


def _csv_head(kind: str, date: datetime.date, rules: str) -> bytes:
    return CSV_HEAD


def _json_head(kind: str, date: datetime.date, rules: str) -> bytes:
    head = json.dumps({"kind": kind, "date": date.isoformat(), "rules": rules}, separators=(",", ":"))
    return (head.removesuffix("}") + ',"players":[').encode("ascii")


# In the order of `Lines`.
_FORMATS: Final = (
    _Format(_txt_head, b"", "ascii", "replace"),
    _Format(_xml_head, b"</playerslist>\n", "utf-8", "strict"),
    _Format(_csv_head, b"", "utf-8", "replace"),
    _Format(_json_head, b"\n]}\n", "utf-8", "backslashreplace", before="\n", between=",\n"),
)
_TXT, _XML, _CSV, _JSON = range(len(_FORMATS))


class Parts(NamedTuple):
    """A piece of each of the four files of a list."""

    txt: bytes
    xml: bytes
    csv: bytes
    json: bytes


def write_txt(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list in FIDE's TXT layout: lines of 136 ASCII characters, CRLF, the month in the heading.

    Names are transliterated (see `lines`) and cut at 61 characters. Other titles that do not fit
    their column run into the one of the arena title; whole titles that fit neither are left out.
    """
    return _write(_TXT, rows, kind, date, rules)


def write_xml(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list in FIDE's XML layout: UTF-8, one element a line, no declaration.

    Characters that XML does not allow are left out.
    """
    return _write(_XML, rows, kind, date, rules)


def write_csv(
    rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list as CSV (RFC 4180): UTF-8, CRLF, a head with the names of the JSON; `inactive` true or false.

    A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return)
    gets an apostrophe before it.
    """
    return _write(_CSV, rows, kind, date, rules)


def write_json(rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str) -> Iterator[bytes]:
    """Yield a list as one JSON object, UTF-8, one player a line: kind, date, rules, players."""
    return _write(_JSON, rows, kind, date, rules)


def write_all(rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str) -> Iterator[Parts]:
    """Yield the four files side by side, as the writers of each write them, in two thirds of the time."""
    yield Parts._make(item.head(kind, date, rules) for item in _FORMATS)
    is_first = True
    for piece in _pieces(rows):
        lines = zip(*map(lines_of, piece), strict=True)
        yield Parts._make(
            item.piece(of_file, is_first=is_first) for item, of_file in zip(_FORMATS, lines, strict=True)
        )
        is_first = False
    yield Parts._make(item.tail for item in _FORMATS)


def _write(
    place: int, rows: Iterable[ExportRow], kind: str, date: datetime.date, rules: str
) -> Iterator[bytes]:
    written, line_of = _FORMATS[place], itemgetter(place)
    yield written.head(kind, date, rules)
    is_first = True
    for piece in _pieces(rows):
        yield written.piece(list(map(line_of, map(lines_of, piece))), is_first=is_first)
        is_first = False
    if written.tail:
        yield written.tail


def _pieces(rows: Iterable[ExportRow]) -> Iterator[list[ExportRow]]:
    iterator = iter(rows)
    while piece := list(islice(iterator, _ROWS_A_PIECE)):
        yield piece
