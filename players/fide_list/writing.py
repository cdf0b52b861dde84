"""Writers of single lists: FIDE's TXT and XML, and the portal's own CSV and JSON. The same rows give the same bytes.

A player's lines in the four files are written together, so that common parts are calculated once. Files come in pieces
of some thousand rows. All take the kind and the date, though TXT has no place for the kind, and XML and CSV for
neither.

TXT is 136 ASCII characters and CRLF. Names in it are decomposed (NFKD) without combining marks, so that é is e and
ﬁ is fi; letters that do not decompose follow a table; a question mark replaces everything else.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from json.encoder import encode_basestring
from typing import Any, Final, NamedTuple

from players.fide_list.ascii_names import ascii_name
from players.fide_list.values import FIGURES, PUBLISHED_FIELDS, ExportRow

MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_TITLE_COLUMNS: Final = 19


def txt_heading(date: datetime.date) -> str:
    """Return the first line; the heading of the ratings is the month of the list, as in `FEB26`."""
    month = f"{MONTHS[date.month - 1]}{date.year % 100:02}"
    titles = f"{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}"
    return f"{'ID Number':<15}{'Name':<61}{titles}{month:<6}{'Gms':<4}{'K':<3}{'B-day':<6}{'Flag':<4}\r\n"


def txt_honours(other: str, foa: str) -> str:
    """Return OTit and FOA: the former runs into the latter where it needs to, whole titles at most."""
    while len(other) + len(foa) > _TITLE_COLUMNS:
        other = other.rpartition(",")[0]
    return f"{other:<15}{foa:<4}" if len(other) <= 15 else f"{other + foa:<19}"


def txt_figures(rating: int, games: int, k: int | None) -> str:
    return f"{rating:<6}{games:<4}{'' if k is None else k:<3}"


def txt_ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    """Return the columns of year of birth and flag, and the end of the line."""
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    # FIDE's TXT has 0000 for a year that is not known, its XML nothing.
    return f"{birth_year or 0:04}  {flag:<4}\r\n"


# Characters that XML 1.0 does not allow, even as references.
_NOT_ALLOWED: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> str:
    """Return the elements after the name."""
    return (
        f"<country>{xml_text(federation)}</country>\n<sex>{xml_text(sex)}</sex>\n<title>{xml_text(title)}</title>\n"
        f"<w_title>{xml_text(women_title)}</w_title>\n<o_title>{xml_text(other)}</o_title>\n"
        f"<foa_title>{xml_text(foa)}</foa_title>\n"
    )


def _xml_figures(rating: int, games: int, k: int | None) -> str:
    factor = "" if k is None else k
    return f"<rating>{rating}</rating>\n<games>{games}</games>\n<k>{factor}</k>\n"


def xml_ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    """Return the elements of year of birth and flag, and the end of the player."""
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return f"<birthday>{birth_year or ''}</birthday>\n<flag>{flag}</flag>\n</player>\n"


def xml_text(content: str) -> str:
    """Return a text escaped; white space of any sort becomes a blank, as a field is one line."""
    if not content.isprintable():
        content = "".join(" " if c.isspace() else c for c in _NOT_ALLOWED.sub("", content))
    if "&" in content or "<" in content or ">" in content:
        content = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return content


CSV_HEAD: Final = (",".join(PUBLISHED_FIELDS) + "\r\n").encode("ascii")

_FORMULA_STARTS: Final = frozenset("=+-@\t\r")

# A text as JSON writes it, all of Unicode as it is.
_json_text: Final = encode_basestring


def _csv_cell(text: str) -> str:
    """Return a text in quotes where it needs them (RFC 4180), and as no spreadsheet takes it for a formula."""
    if text[:1] in _FORMULA_STARTS:
        text = "'" + text
    # Not by the library's writer, which takes longer for a million lines.
    if '"' in text:
        text = text.replace('"', '""')
        return f'"{text}"'
    return f'"{text}"' if "," in text or "\n" in text or "\r" in text else text


_FIGURES_TEMPLATE: Final = "".join(f',"{name}":%s' for name in FIGURES) + "}"
_NULL: Final = "null"


class Lines(NamedTuple):
    """A player's line, or a part of it, in each file."""

    txt: str
    xml: str
    csv: str
    json: str


def lines_of(row: ExportRow) -> Lines:
    """Return the lines of a player."""
    others: list[Any]
    (
        fide_id, name, federation, title, women_title, other, foa, sex, birth_year, rating, games, k, inactive,
        *others,
    ) = row  # fmt: skip
    # FIDE's Tit column shows the women's title where there is no open one.
    txt, xml, csv, json_text = _person(federation, sex, title or women_title, women_title, other, foa)
    txt_end, xml_end, csv_born, json_born = _ending(birth_year, sex, inactive)
    txt_figures, xml_figures, csv_end, json_end = _figures(rating, games, k, inactive, *others)
    return Lines(
        # `ljust` takes half the time of a width in a format, for a million lines.
        f"{str(fide_id).ljust(15)}{ascii_name(name).ljust(61)}{txt}{txt_figures}{txt_end}",
        f"<player>\n<fideid>{fide_id}</fideid>\n<name>{xml_text(name)}</name>\n{xml}{xml_figures}{xml_end}",
        f"{fide_id},{_csv_cell(name)},{csv}{csv_born}{csv_end}",
        f'{{"fide_id":{fide_id},"name":{_json_text(name)},{json_text}{json_born}{json_end}',
    )


@lru_cache(maxsize=1 << 13)
def _person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> Lines:
    """Return what stands after the name, up to the rating, or of CSV and JSON to the year of birth."""
    return Lines(
        f"{federation:<4}{sex:<4}{title:<5}{women_title:<5}{txt_honours(other, foa)}",
        xml_person(federation, sex, title, women_title, other, foa),
        f"{_csv_cell(federation)},{_csv_cell(title)},{_csv_cell(sex)},",
        f'"federation":{_json_text(federation)},"title":{_json_text(title)},"sex":{_json_text(sex)},"birth_year":',
    )


@lru_cache(maxsize=1 << 15)
def _figures(*figures: Any) -> Lines:
    """Return the parts of the figures; those of TXT and XML are the first three, as FIDE has no others."""
    values = [json.dumps(value, ensure_ascii=False, default=str) for value in figures]
    cells = ["" if value == _NULL else value for value in values]
    return Lines(
        txt_figures(*figures[:3]),
        _xml_figures(*figures[:3]),
        f",{','.join(cells)}\r\n",
        _FIGURES_TEMPLATE % tuple(values),
    )


@lru_cache(maxsize=1 << 11)
def _ending(birth_year: int | None, sex: str, inactive: bool) -> Lines:
    return Lines(
        txt_ending(birth_year, sex, inactive),
        xml_ending(birth_year, sex, inactive),
        "" if birth_year is None else str(birth_year),
        _NULL if birth_year is None else str(birth_year),
    )


_ROWS_A_PIECE: Final = 4096


class _Format(NamedTuple):
    """The head and tail of a file, the text between its lines, and the handling of characters outside its encoding."""

    head: Callable[[str, datetime.date, str], bytes]
    tail: bytes
    encoding: str
    errors: str
    before: str = ""
    between: str = ""

    def piece(self, lines: Sequence[str], *, is_first: bool) -> bytes:
        begin = self.before if is_first else self.between
        return (begin + self.between.join(lines)).encode(self.encoding, self.errors)


def _json_head(kind: str, date: datetime.date, rules: str) -> bytes:
    head = json.dumps({"kind": kind, "date": date.isoformat(), "rules": rules}, separators=(",", ":"))
    return (head.removesuffix("}") + ',"players":[').encode("ascii")


FORMATS: Final = Lines._fields
# In the order of `FORMATS`.
# A lone surrogate has no UTF-8: JSON has an escape for it, TXT and CSV a question mark, and `xml_text` leaves it out.
_FORMATS: Final = (
    _Format(lambda kind, date, rules: txt_heading(date).encode("ascii"), b"", "ascii", "replace"),
    _Format(lambda kind, date, rules: b"<playerslist>\n", b"</playerslist>\n", "utf-8", "strict"),
    _Format(lambda kind, date, rules: CSV_HEAD, b"", "utf-8", "replace"),
    _Format(_json_head, b"\n]}\n", "utf-8", "backslashreplace", before="\n", between=",\n"),
)


def write_list(
    form: str, rows: Iterable[ExportRow], *, kind: str, date: datetime.date, rules: str = ""
) -> Iterator[bytes]:
    """Yield a list in one of the formats: in FIDE's layouts of TXT and XML, as CSV (RFC 4180), or as one JSON object.

    TXT has lines of 136 ASCII characters and CRLF, names transliterated and cut at 61 characters, and whole titles that
    fit. XML has one element a line, no declaration, and no character that it does not allow. The head of the CSV has
    the names of the JSON; a text that a spreadsheet would take for a formula gets an apostrophe. JSON has one player a
    line.
    """
    pieces = write_all(rows, (form,), kind=kind, date=date, rules=rules)
    return (piece for (piece,) in pieces if piece)


def write_all(
    rows: Iterable[ExportRow], forms: Sequence[str] = FORMATS, *, kind: str, date: datetime.date, rules: str
) -> Iterator[tuple[bytes, ...]]:
    """Yield files of several formats side by side: a piece of each in their order."""
    chosen = [(place, _FORMATS[place]) for place in map(FORMATS.index, forms)]
    yield tuple(item.head(kind, date, rules) for _place, item in chosen)
    is_first = True
    for piece in _pieces(rows):
        lines = [*zip(*map(lines_of, piece), strict=True)]
        yield tuple(item.piece(lines[place], is_first=is_first) for place, item in chosen)
        is_first = False
    yield tuple(item.tail for _place, item in chosen)


def _pieces(rows: Iterable[ExportRow]) -> Iterator[list[ExportRow]]:
    iterator = iter(rows)
    while piece := list(islice(iterator, _ROWS_A_PIECE)):
        yield piece
