"""The parts of a player's row in the portal's CSV and of the object in its JSON."""

from __future__ import annotations

from json.encoder import encode_basestring
from typing import Final

_NAMES: Final = (
    *("fide_id", "name", "federation", "title", "sex", "birth_year", "rating", "games", "k", "inactive"),
)
CSV_HEAD: Final = (",".join(_NAMES) + "\r\n").encode("ascii")

_FORMULA_STARTS: Final = frozenset("=+-@\t\r")

# A text as JSON writes it, all of Unicode as it is.
quoted: Final = encode_basestring


def cell(text: str) -> str:
    """Return a text in quotes where it needs them (RFC 4180), and as no spreadsheet takes it for a formula."""
    if text[:1] in _FORMULA_STARTS:
        text = "'" + text
    if '"' in text:
        text = text.replace('"', '""')
        return f'"{text}"'
    return f'"{text}"' if "," in text or "\n" in text or "\r" in text else text


def csv_person(federation: str, title: str, sex: str) -> str:
    """Return the cells before the year of birth."""
    return f"{cell(federation)},{cell(title)},{cell(sex)},"


def csv_birth_year(birth_year: int | None) -> str:
    """Return the year's cell."""
    return "" if birth_year is None else str(birth_year)


def csv_figures(rating: int, games: int, k: int | None, inactive: bool) -> str:
    """Return the cells after the year of birth, and the end of the line."""
    return f",{rating},{games},{'' if k is None else k},{'true' if inactive else 'false'}\r\n"


def json_person(federation: str, title: str, sex: str) -> str:
    """Return the members before the year of birth, and its name."""
    return f'"federation":{quoted(federation)},"title":{quoted(title)},"sex":{quoted(sex)},"birth_year":'


def json_birth_year(birth_year: int | None) -> str:
    """Return the year's value."""
    return "null" if birth_year is None else str(birth_year)


def json_figures(rating: int, games: int, k: int | None, inactive: bool) -> str:
    """Return the members after the year of birth, and the end of the object."""
    factor = "null" if k is None else k
    return f',"rating":{rating},"games":{games},"k":{factor},"inactive":{"true" if inactive else "false"}}}'
