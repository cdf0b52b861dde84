"""A player of a single list as an element of FIDE's XML."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from players.fide_list.values import ExportRow

# What XML 1.0 cannot say, even by number.
_NOT_ALLOWED: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_row(row: ExportRow) -> str:
    """Return the element of a player, each field on its line."""
    fide_id, name, federation, title, women_title, other, foa, sex, birth_year, rating, games, k, inactive = (
        row
    )
    return (
        f"<player>\n<fideid>{fide_id}</fideid>\n<name>{_text(name)}</name>\n"
        f"{_person(federation, sex, title or women_title, women_title, other, foa)}"
        f"{_figures(rating, games, k)}{_ending(birth_year, sex, inactive)}</player>\n"
    )


@lru_cache(maxsize=1 << 13)
def _person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> str:
    return (
        f"<country>{_text(federation)}</country>\n<sex>{_text(sex)}</sex>\n<title>{_text(title)}</title>\n"
        f"<w_title>{_text(women_title)}</w_title>\n<o_title>{_text(other)}</o_title>\n"
        f"<foa_title>{_text(foa)}</foa_title>\n"
    )


@lru_cache(maxsize=1 << 15)
def _figures(rating: int, games: int, k: int | None) -> str:
    factor = "" if k is None else k
    return f"<rating>{rating}</rating>\n<games>{games}</games>\n<k>{factor}</k>\n"


@lru_cache(maxsize=1 << 11)
def _ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return f"<birthday>{birth_year or ''}</birthday>\n<flag>{flag}</flag>\n"


def _text(text: str) -> str:
    """Return the text escaped; white space of any sort becomes a blank, as a field is one line."""
    if not text.isprintable():
        text = "".join(" " if c.isspace() else c for c in _NOT_ALLOWED.sub("", text))
    if "&" in text or "<" in text or ">" in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text
