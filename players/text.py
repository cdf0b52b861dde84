"""Names without accents and case, and the words by which they are found."""

from __future__ import annotations

import re
import unicodedata

# Letters that have no decomposition; what a player would type on a plain keyboard.
PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Return the text in lower case without accents: `Müller, José` gives `muller, jose`."""
    lowered = text.casefold().translate(PLAIN)
    if lowered.isascii():
        return lowered
    # Letters of mathematics and others have no case of their own; what they are compatible with may have.
    decomposed = unicodedata.normalize("NFKD", lowered).casefold().translate(PLAIN)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_of(name: str) -> list[str]:
    """Return the distinct words of a name in order, for searching: `O'Brien, Anna` gives `o`, `brien`, `anna`."""
    return list(dict.fromkeys(word[:60] for word in WORD.findall(folded(name))))
