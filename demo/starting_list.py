"""The list from which the demonstration starts, as a combined list of FIDE's (XML, whose letters are UTF-8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

from players.fide_list import ListRecord, Rating
from ratings.services.imports import Import, import_list

FILE_NAME = "players_list_xml_foa.xml"


def import_starting_list(records: Iterable[ListRecord], *, on: date, at: datetime) -> Import:
    """Bring the players and their three lists of a date in, through a file like FIDE's own."""
    with TemporaryDirectory(prefix="demo-") as folder:
        path = Path(folder) / FILE_NAME
        path.write_text("\n".join(_lines(records)), encoding="utf-8")
        return import_list(path, on=on, at=at)


def _lines(records: Iterable[ListRecord]) -> Iterator[str]:
    yield "<playerslist>"
    for record in records:
        yield "<player>"
        yield from (f"<{tag}>{escape(str(value))}</{tag}>" for tag, value in _fields(record))
        yield "</player>"
    yield "</playerslist>"


def _fields(record: ListRecord) -> Iterator[tuple[str, object]]:
    yield "fideid", record.fide_id
    yield "name", record.name
    yield "country", record.federation
    yield "sex", record.sex
    yield "title", record.title
    yield "w_title", record.women_title
    yield "o_title", record.other_titles
    yield "foa_title", record.foa_title
    for prefix, rating in (("", record.standard), ("rapid_", record.rapid), ("blitz_", record.blitz)):
        yield from _figures(prefix, rating)
    yield "birthday", record.birth_year or ""
    yield "flag", record.flag


def _figures(prefix: str, rating: Rating | None) -> Iterator[tuple[str, object]]:
    yield f"{prefix}rating", rating.rating if rating else 0
    yield f"{prefix}games", rating.games if rating else 0
    yield f"{prefix}k", (rating.k if rating else None) or 0
