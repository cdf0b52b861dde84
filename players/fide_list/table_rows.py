"""A player of a single list as a row of the portal's CSV and an object of its JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from functools import lru_cache
from json import JSONEncoder
from typing import Final

from players.fide_list.values import ExportRow

_NAMES: Final = (
    *("fide_id", "name", "federation", "title", "sex", "birth_year", "rating", "games", "k", "inactive"),
)
CSV_HEAD: Final = (",".join(_NAMES) + "\r\n").encode("ascii")

_FORMULA_STARTS: Final = frozenset("=+-@\t\r")
_quoted: Final = JSONEncoder(ensure_ascii=False).encode


def csv_rows(rows: Iterable[ExportRow]) -> str:
    """Return the lines of players."""
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows(map(_csv_row, rows))
    return lines.getvalue()


def json_row(row: ExportRow) -> str:
    """Return the object of a player."""
    fide_id, name, federation, title, women_title, _, _, sex, birth_year, rating, games, k, inactive = row
    return (
        f'{{"fide_id":{fide_id},"name":{_quoted(name)},'
        f"{_json_person(federation, title or women_title, sex, birth_year)},"
        f'"rating":{rating},"games":{games},"k":{"null" if k is None else k},'
        f'"inactive":{"true" if inactive else "false"}}}'
    )


def _csv_row(row: ExportRow) -> tuple[object, ...]:
    fide_id, name, federation, title, women_title, _, _, sex, birth_year, rating, games, k, inactive = row
    return (
        fide_id,
        _cell(name),
        _cell(federation),
        _cell(title or women_title),
        _cell(sex),
        birth_year,
        rating,
        games,
        k,
        "true" if inactive else "false",
    )


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return "'" + text if text[:1] in _FORMULA_STARTS else text


@lru_cache(maxsize=1 << 14)
def _json_person(federation: str, title: str, sex: str, birth_year: int | None) -> str:
    born = "null" if birth_year is None else birth_year
    return f'"federation":{_quoted(federation)},"title":{_quoted(title)},"sex":{_quoted(sex)},"birth_year":{born}'
