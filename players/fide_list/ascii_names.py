"""Names as FIDE's TXT lists have them, in ASCII."""

from __future__ import annotations

import unicodedata
from typing import Final

# The whole column, as on FIDE's own lists: the longest names leave no blank before the federation.
MAX_NAME: Final = 61

_LETTERS: Final = str.maketrans(
    {
        "ß": "ss",
        "ẞ": "SS",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "ł": "l",
        "Ł": "L",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "þ": "th",
        "Þ": "Th",
        "ħ": "h",
        "Ħ": "H",
        "ŧ": "t",
        "Ŧ": "T",
        "ŋ": "n",
        "Ŋ": "N",
        "ı": "i",
        "ĸ": "k",
        "ə": "e",
        "Ə": "E",
        "ƒ": "f",
        "·": ".",
        **dict.fromkeys("‘’‚‛′ʹʻʼʽˈ", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)


def ascii_name(name: str) -> str:
    """Return the name in at most 61 printable ASCII characters."""
    if not (name.isascii() and name.isprintable()):
        decomposed = unicodedata.normalize("NFKD", name).translate(_LETTERS)
        name = "".join(map(_ascii, decomposed))
    name = name.strip()
    return name if len(name) <= MAX_NAME else name[:MAX_NAME].rstrip()


def _ascii(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character).startswith("M"):
        return ""
    return character if character.isascii() and character.isprintable() else "?"
