"""Writers of combined lists, a player with the ratings of all three kinds, which pairing programs import.

TXT has lines of 162 ASCII characters, without the column of arena titles (`is_legacy`) 158. A kind without a rating is
blank, as a player without any is listed too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from players.fide_list.ascii_names import ascii_name
from players.fide_list.values import ListedRating, ListRecord
from players.fide_list.writing import txt_ending, txt_honours, xml_person, xml_text

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


def _txt_figures(rating: ListedRating | None) -> str:
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


def _xml_figures(prefix: str, rating: ListedRating | None) -> str:
    values = ("", "", "") if rating is None else (rating.rating, rating.games, rating.k)
    parts = zip(("rating", "games", "k"), values, strict=True)
    return "".join(
        f"<{prefix}{name}>{'' if value is None else value}</{prefix}{name}>\n" for name, value in parts
    )
