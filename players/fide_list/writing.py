"""Writers of list files. The same rows give the same bytes.

Single lists: FIDE's TXT and XML, and the portal's own CSV and JSON, in pieces of some thousand rows. All take the kind
and the date, though TXT has no place for the kind, and XML and CSV for neither.

Combined lists, a player with the ratings of all three kinds, are what pairing programs import: TXT has lines of 162
ASCII characters, without the column of arena titles (`is_legacy`) 158. A kind without a rating is blank, as a player
without any is listed too.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Final, NamedTuple

from players.fide_list.lines import (
    CSV_HEAD,
    ascii_name,
    lines_of,
    txt_ending,
    txt_heading,
    txt_honours,
    xml_person,
    xml_text,
)
from players.fide_list.values import ExportRow, ListRecord, Rating

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


_PLAYERS_A_PIECE: Final = 4096
_OTHER_TITLES: Final = 15
_COLUMNS: Final = "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\r\n"
_XML_PREFIXES: Final = ("", "rapid_", "blitz_")


def write_combined_txt(records: Iterable[ListRecord], *, is_legacy: bool = False) -> Iterator[bytes]:
    """Yield a combined list as TXT: CRLF, one line a player, names transliterated to ASCII."""
    foa = "" if is_legacy else "FOA "
    titles = f"{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{foa}"
    yield f"{'ID Number':<15}{'Name':<61}{titles}{_COLUMNS}".encode("ascii")
    yield from _combined_pieces((_txt_line(record, is_legacy=is_legacy) for record in records), "ascii")


def write_combined_xml(records: Iterable[ListRecord], *, is_legacy: bool = False) -> Iterator[bytes]:
    """Yield a combined list as XML: one element a line, no declaration."""
    yield b"<playerslist>\n"
    yield from _combined_pieces((_xml_player(record, is_legacy=is_legacy) for record in records), "utf-8")
    yield b"</playerslist>\n"


def _combined_pieces(lines: Iterator[str], encoding: str) -> Iterator[bytes]:
    while piece := "".join(islice(lines, _PLAYERS_A_PIECE)):
        yield piece.encode(encoding, "replace")


def _txt_line(record: ListRecord, *, is_legacy: bool) -> str:
    title = record.title or record.women_title
    honours = _short(record.other_titles) if is_legacy else txt_honours(record.other_titles, record.foa_title)
    person = f"{record.federation:<4}{record.sex:<4}{title:<5}{record.women_title:<5}{honours}"
    figures = "".join(map(_txt_figures, (record.standard, record.rapid, record.blitz)))
    ending = txt_ending(record.birth_year, record.sex, record.is_inactive)
    return f"{record.fide_id:<15}{ascii_name(record.name):<61}{person}{figures}{ending}"


def _short(other_titles: str) -> str:
    """Return the other titles in their column, whole titles at most."""
    while len(other_titles) > _OTHER_TITLES:
        other_titles = other_titles.rpartition(",")[0]
    return f"{other_titles:<{_OTHER_TITLES}}"


def _txt_figures(rating: Rating | None) -> str:
    if rating is None:
        return " " * 13
    return f"{rating.rating:<6}{rating.games:<4}{'' if rating.k is None else rating.k:<3}"


def _xml_player(record: ListRecord, *, is_legacy: bool) -> str:
    title = record.title or record.women_title
    person = xml_person(
        record.federation, record.sex, title, record.women_title, record.other_titles, record.foa_title
    )
    if is_legacy:
        person = person.partition("<foa_title>")[0]
    kinds = zip(_XML_PREFIXES, (record.standard, record.rapid, record.blitz), strict=True)
    figures = "".join(_xml_figures(prefix, rating) for prefix, rating in kinds)
    flag = ("w" if record.sex == "F" else "") + ("i" if record.is_inactive else "")
    return (
        f"<player>\n<fideid>{record.fide_id}</fideid>\n<name>{xml_text(record.name)}</name>\n{person}{figures}"
        f"<birthday>{record.birth_year or ''}</birthday>\n<flag>{flag}</flag>\n</player>\n"
    )


def _xml_figures(prefix: str, rating: Rating | None) -> str:
    values = ("", "", "") if rating is None else (rating.rating, rating.games, rating.k)
    parts = zip(("rating", "games", "k"), values, strict=True)
    return "".join(
        f"<{prefix}{name}>{'' if value is None else value}</{prefix}{name}>\n" for name, value in parts
    )
