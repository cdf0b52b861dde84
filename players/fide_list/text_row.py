"""A player of a single list as a line of FIDE's TXT."""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Final

from players.fide_list.transliteration import ascii_name
from players.fide_list.values import ExportRow

_MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_TITLE_COLUMNS: Final = 19


def heading(date: datetime.date) -> str:
    """Return the first line; the month of the list stands over the ratings, as in `FEB26`."""
    month = f"{_MONTHS[date.month - 1]}{date.year % 100:02}"
    titles = f"{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}"
    return f"{'ID Number':<15}{'Name':<61}{titles}{month:<6}{'Gms':<4}{'K':<3}{'B-day':<6}{'Flag':<4}\r\n"


def text_row(row: ExportRow) -> str:
    """Return the line of a player, 136 characters and CRLF."""
    fide_id, name, federation, title, women_title, other, foa, sex, birth_year, rating, games, k, inactive = (
        row
    )
    person = _person(federation, sex, title or women_title, women_title, other, foa)
    figures, end = _figures(rating, games, k), _ending(birth_year, sex, inactive)
    # `ljust` takes half the time of a width in a format, for a million lines.
    return f"{str(fide_id).ljust(15)}{ascii_name(name).ljust(61)}{person}{figures}{end}"


@lru_cache(maxsize=1 << 13)
def _person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> str:
    return f"{federation:<4}{sex:<4}{title:<5}{women_title:<5}{_honours(other, foa)}"


def _honours(other: str, foa: str) -> str:
    """Return OTit and FOA: the former runs into the latter where it needs to, whole titles at most."""
    while len(other) + len(foa) > _TITLE_COLUMNS:
        other = other.rpartition(",")[0]
    return f"{other:<15}{foa:<4}" if len(other) <= 15 else f"{other + foa:<19}"


@lru_cache(maxsize=1 << 15)
def _figures(rating: int, games: int, k: int | None) -> str:
    return f"{rating:<6}{games:<4}{'' if k is None else k:<3}"


@lru_cache(maxsize=1 << 11)
def _ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return f"{birth_year or 0:04}  {flag:<4}\r\n"
