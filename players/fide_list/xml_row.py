"""The parts of a player's element in FIDE's XML, each field on its line."""

from __future__ import annotations

import re
from typing import Final

# What XML 1.0 cannot say, even by number.
_NOT_ALLOWED: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def person(federation: str, sex: str, title: str, women_title: str, other: str, foa: str) -> str:
    """Return the elements after the name."""
    return (
        f"<country>{text(federation)}</country>\n<sex>{text(sex)}</sex>\n<title>{text(title)}</title>\n"
        f"<w_title>{text(women_title)}</w_title>\n<o_title>{text(other)}</o_title>\n"
        f"<foa_title>{text(foa)}</foa_title>\n"
    )


def figures(rating: int, games: int, k: int | None) -> str:
    """Return the elements of rating, games and K."""
    factor = "" if k is None else k
    return f"<rating>{rating}</rating>\n<games>{games}</games>\n<k>{factor}</k>\n"


def ending(birth_year: int | None, sex: str, inactive: bool) -> str:
    """Return the elements of year of birth and flag, and the end of the player."""
    flag = ("w" if sex == "F" else "") + ("i" if inactive else "")
    return f"<birthday>{birth_year or ''}</birthday>\n<flag>{flag}</flag>\n</player>\n"


def text(content: str) -> str:
    """Return a text escaped; white space of any sort becomes a blank, as a field is one line."""
    if not content.isprintable():
        content = "".join(" " if c.isspace() else c for c in _NOT_ALLOWED.sub("", content))
    if "&" in content or "<" in content or ">" in content:
        content = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return content
