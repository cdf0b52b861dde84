"""The parts of a player's line in FIDE's TXT: 136 characters and CRLF."""

from __future__ import annotations

import datetime
from typing import Final

_MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_TITLE_COLUMNS: Final = 19


def heading(date: datetime.date) -> str:
    """Return the first line; the month of the list stands over the ratings, as in `FEB26`."""
    month = f"{_MONTHS[date.month - 1]}{date.year % 100:02}"
    titles = f"{'Fed':<4}{'Sex':<4}{'Tit':<5}{'WTit':<5}{'OTit':<15}{'FOA':<4}"
    return f"{'ID Number':<15}{'Name':<61}{titles}{month:<6}{'Gms':<4}{'K':<3}{'B-day':<6}{'Flag':<4}\r\n"


def person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> str:
    """Return the columns between the name and the rating."""
    return f"{federation:<4}{sex:<4}{title:<5}{women_title:<5}{_honours(other, foa)}"


def _honours(other: str, foa: str) -> str:
    """Return OTit and FOA: the former runs into the latter where it needs to, whole titles at most."""
    while len(other) + len(foa) > _TITLE_COLUMNS:
        other = other.rpartition(",")[0]
    return f"{other:<15}{foa:<4}" if len(other) <= 15 else f"{other + foa:<19}"


def figures(rating: int, games: int, k: int | None) -> str:
    """Return the columns of rating, games and K."""
    return f"{rating:<6}{games:<4}{'' if k is None else k:<3}"


def ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    """Return the columns of year of birth and flag, and the end of the line."""
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return f"{birth_year or 0:04}  {flag:<4}\r\n"
