"""A player of a single list as a row of the portal's CSV and an object of its JSON."""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring as _quoted
from typing import Final

from players.fide_list.values import ExportRow

_NAMES: Final = (
    *("fide_id", "name", "federation", "title", "sex", "birth_year", "rating", "games", "k", "inactive"),
)
CSV_HEAD: Final = (",".join(_NAMES) + "\r\n").encode("ascii")

_FORMULA_STARTS: Final = frozenset("=+-@\t\r")


def csv_row(row: ExportRow) -> str:
    """Return the line of a player."""
    fide_id, name, federation, title, women_title, _, _, sex, birth_year, rating, games, k, inactive = row
    person = _csv_person(federation, title or women_title, sex, birth_year)
    return f"{fide_id},{_cell(name)},{person},{_csv_figures(rating, games, k, inactive)}"


def json_row(row: ExportRow) -> str:
    """Return the object of a player."""
    fide_id, name, federation, title, women_title, _, _, sex, birth_year, rating, games, k, inactive = row
    return (
        f'{{"fide_id":{fide_id},"name":{_quoted(name)},'
        f"{_json_person(federation, title or women_title, sex, birth_year)},"
        f'"rating":{rating},"games":{games},"k":{"null" if k is None else k},'
        f'"inactive":{"true" if inactive else "false"}}}'
    )


@lru_cache(maxsize=1 << 14)
def _csv_person(federation: str, title: str, sex: str, birth_year: int | None) -> str:
    born = "" if birth_year is None else birth_year
    return f"{_cell(federation)},{_cell(title)},{_cell(sex)},{born}"


@lru_cache(maxsize=1 << 15)
def _csv_figures(rating: int, games: int, k: int | None, inactive: bool) -> str:
    return f"{rating},{games},{'' if k is None else k},{'true' if inactive else 'false'}\r\n"


def _cell(text: str) -> str:
    """Return a text in quotes where it needs them (RFC 4180), and as no spreadsheet takes it for a formula."""
    if text[:1] in _FORMULA_STARTS:
        text = "'" + text
    if '"' in text:
        text = text.replace('"', '""')
        return f'"{text}"'
    return f'"{text}"' if "," in text or "\n" in text or "\r" in text else text


@lru_cache(maxsize=1 << 14)
def _json_person(federation: str, title: str, sex: str, birth_year: int | None) -> str:
    born = "null" if birth_year is None else birth_year
    return f'"federation":{_quoted(federation)},"title":{_quoted(title)},"sex":{_quoted(sex)},"birth_year":{born}'
