"""Which kind of list file a stream is, and its records."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice
from pathlib import PurePath
from typing import Final

from players.fide_list.ascii_names import ascii_name
from players.fide_list.messages import FideListError, Message, unreadable
from players.fide_list.txt_reader import layout_of, read_text
from players.fide_list.values import KINDS, ByteSource, ListedRating, ListItem, ListRecord
from players.fide_list.writing import (
    MONTHS,
    txt_ending,
    txt_figures,
    txt_honours,
    xml_ending,
    xml_person,
    xml_text,
)
from players.fide_list.xml_reader import read_xml

_HEAD_BYTES: Final = 1 << 16
_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
# Before the root there may be comments, instructions and a document type; the root may have attributes.
# The group and its repetition give nothing back: many comments are read once, not in each way to divide them.
_ROOT: Final = re.compile(
    rb"(?:<\?xml([^>]*)\?>)?(?>\s+|<!--.*?-->|<\?.*?\?>|<!DOCTYPE[^>\[]*>)*+<playerslist(?:\s[^>]*)?>",
    re.IGNORECASE | re.DOTALL,
)
# A whole element: what damages the first player makes no other kind of list.
_OTHER_RATING: Final = re.compile(rb"<(?:rapid|blitz)_rating\s*(?:/>|>[^<]*</)")
_FEDERATION_PLAYER: Final = re.compile(rb"\s*<player\s+FIDEID=")
_ENCODING: Final = re.compile(rb"""encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS: Final = (b"utf-8", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")
# What a program wrote as UTF-16 is UTF-8 when it is read; others give their bytes.
_ENCODINGS_AS_UTF_8: Final = (b"utf-16", b"utf-16le", b"utf-16be")
_KIND_IN_NAME: Final = re.compile("|".join(KINDS))
_MONTH_IN_NAME: Final = re.compile(
    rf"(?<![a-z])(?P<name>{'|'.join(MONTHS).lower()})(?P<short>\d\d)(?!\d)"
    r"|(?<!\d)(?P<year>20\d\d)[-_](?P<number>0[1-9]|1[0-2])(?!\d)"
)


class ListReading(Iterator[ListItem]):
    """The records, problems and repairs of a list, in the file's order; `kinds` are those that the file lists.

    `token` is the month in the heading of a single TXT list, as in `NOV26`; empty where there is none.
    """

    def __init__(self, items: Iterator[ListItem], *, kinds: tuple[str, ...], token: str = "") -> None:
        self.kinds = kinds
        self.token = token
        self._items = items

    def __iter__(self) -> Iterator[ListItem]:
        return self._items

    def __next__(self) -> ListItem:
        return next(self._items)


def read_list(stream: ByteSource, *, kind: str | None = None) -> ListReading:
    """Return the records of a list, TXT or XML, combined or single, as its first bytes say.

    `kind` (standard, rapid or blitz) is needed for a single list, which does not name its own; a combined
    list is read whole. A record that cannot be right is given as a LineProblem and skipped.
    Raises FideListError where the stream is no such list or the kind is missing.
    """
    if kind is not None and kind not in KINDS:
        raise unreadable("kind-unknown", type=repr(kind), types=", ".join(KINDS))
    stream = _Plain(stream)
    head = _head(stream).removeprefix(_BOM)
    content = head.lstrip()
    blank = len(head) - len(content)
    if content.startswith(b"ID Number"):
        first_line = head.count(b"\n", 0, blank) + 1
        heading = content.partition(b"\n")[0].decode("ascii", "replace")
        layout = layout_of(heading)
        kinds = _kinds(kind, is_combined=layout.is_combined)
        token = "" if layout.is_combined else heading[layout.ratings[0] :].split(" ", 1)[0]
        items = read_text(content, stream, layout=layout, kind=kinds[0], first_line=first_line)
        return ListReading(items, kinds=kinds, token=token)
    root = _ROOT.match(content)
    if root is None:
        raise FideListError(_what_else(content), code="not-a-list")
    return _xml_reading(head, blank, root, stream, kind=kind)


class _Plain:
    """A list as other programs store it: UTF-16 is read as UTF-8, and lines that end in CR alone as lines."""

    def __init__(self, stream: ByteSource) -> None:
        self._stream = stream
        self._held = _head(stream)
        encoding = _UTF_16.get(self._held[:2])
        # Half a character at the end of a file is shown as a sign that no list has.
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        self._held = self._as_utf_8(self._held[2:] if encoding else self._held)
        self._has_lone_returns = b"\r" in self._held and b"\n" not in self._held
        self._held = self._unify_line_ends(self._held)

    def read(self, size: int, /) -> bytes:
        while not self._held:
            stored = self._stream.read(size)
            self._held = self._unify_line_ends(self._as_utf_8(stored))
            if not stored:
                break
        data, self._held = self._held[:size], self._held[size:]
        return data

    def _as_utf_8(self, data: bytes) -> bytes:
        return self._decoder.decode(data, final=not data).encode() if self._decoder else data

    def _unify_line_ends(self, data: bytes) -> bytes:
        return data.replace(b"\r", b"\n") if self._has_lone_returns else data


def kind_from_name(filename: str) -> str | None:
    """Return the kind that a file's name says, as in `rapid_feb25frl_xml.zip`; None for none or several."""
    kinds = set(_KIND_IN_NAME.findall(PurePath(filename).name.lower()))
    return kinds.pop() if len(kinds) == 1 else None


def month_in_name(filename: str) -> date | None:
    """Return the month that a file's name says, as in `rapid_feb25frl.zip` or `list-2025-02`, by its first day.

    None for none, or several.
    """
    found = {_month(match) for match in _MONTH_IN_NAME.finditer(PurePath(filename).name.lower())}
    return found.pop() if len(found) == 1 else None


def month_of_token(token: str) -> date | None:
    """Return the month of the heading of a single TXT list, `NOV26`, by its first day; None where it is none."""
    match = _MONTH_IN_NAME.fullmatch(token.lower())
    return _month(match) if match else None


def _month(match: re.Match[str]) -> date:
    if match["name"]:
        return date(2000 + int(match["short"]), MONTHS.index(match["name"].upper()) + 1, 1)
    return date(int(match["year"]), int(match["number"]), 1)


def _xml_reading(
    head: bytes, blank: int, root: re.Match[bytes], stream: ByteSource, *, kind: str | None
) -> ListReading:
    encoding = _ENCODING.search(root[1] or b"")
    if encoding and encoding[1].lower() not in _ENCODINGS + _ENCODINGS_AS_UTF_8:
        raise unreadable("not-utf-8", encoding=encoding[1].decode())
    start = blank + root.end()
    first_player = head[start:].partition(b"</player>")[0]
    if _FEDERATION_PLAYER.match(first_player):
        raise unreadable("federation-download")
    is_combined = _OTHER_RATING.search(first_player) is not None
    kinds = _kinds(kind, is_combined=is_combined)
    items = read_xml(
        head[start:],
        stream,
        first_line=head.count(b"\n", 0, start) + 1,
        is_combined=is_combined,
        kind=kinds[0],
    )
    return ListReading(items, kinds=kinds)


def _head(stream: ByteSource) -> bytes:
    """Return the first bytes of the stream, as many as there are up to a limit."""
    head = b""
    while len(head) < _HEAD_BYTES and (data := stream.read(_HEAD_BYTES - len(head))):
        head += data
    return head


def _kinds(kind: str | None, *, is_combined: bool) -> tuple[str, ...]:
    if is_combined:
        return KINDS
    if kind is None:
        raise unreadable("kind-missing", types=", ".join(KINDS))
    return (kind,)


def _what_else(content: bytes) -> Message:
    """Return what a file is that is no list, as far as its first bytes tell."""
    beginning = content[:200].lower()
    if not content:
        return Message("empty")
    if b"<html" in beginning or b"<!doctype html" in beginning:
        return Message("web-page")
    if b"<!doctype" in beginning or b"<!entity" in beginning:
        return Message("document-type")
    if is_tournament_report(content):
        return Message("tournament-report")
    return Message("not-a-list")


def is_tournament_report(content: bytes) -> bool:
    """Return whether the first bytes of a file are those of a report (TRF)."""
    return re.match(rb"(?:0[0-9]2|001|013) ", content) is not None


# Writers of combined lists, a player with the ratings of all three kinds, which pairing programs import.
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
    kinds = (record.standard, record.rapid, record.blitz)
    figures = "".join(txt_figures(one.rating, one.games, one.k) if one else " " * 13 for one in kinds)
    ending = txt_ending(record.birth_year, record.sex, record.is_inactive)
    return f"{record.fide_id:<15}{ascii_name(record.name):<61}{person}{figures}{ending}"


def _short(other_titles: str) -> str:
    """Return the other titles in their column, whole titles at most."""
    while len(other_titles) > _OTHER_TITLES:
        other_titles = other_titles.rpartition(",")[0]
    return f"{other_titles:<{_OTHER_TITLES}}"


def _xml_player(record: ListRecord, *, is_legacy: bool) -> str:
    title = record.title or record.women_title
    person = xml_person(
        record.federation, record.sex, title, record.women_title, record.other_titles, record.foa_title
    )
    if is_legacy:
        person = person.partition("<foa_title>")[0]
    kinds = zip(_XML_PREFIXES, (record.standard, record.rapid, record.blitz), strict=True)
    figures = "".join(_xml_figures(prefix, rating) for prefix, rating in kinds)
    name = f"<fideid>{record.fide_id}</fideid>\n<name>{xml_text(record.name)}</name>\n"
    return f"<player>\n{name}{person}{figures}{xml_ending(record.birth_year, record.sex, record.is_inactive)}"


def _xml_figures(prefix: str, rating: ListedRating | None) -> str:
    values = ("", "", "") if rating is None else (rating.rating, rating.games, rating.k)
    parts = zip(("rating", "games", "k"), values, strict=True)
    return "".join(
        f"<{prefix}{name}>{'' if value is None else value}</{prefix}{name}>\n" for name, value in parts
    )
