"""The spelling by which a town is found."""

from __future__ import annotations

from functools import lru_cache

from players.spelling import WORD, fold, in_latin_letters

MAX_NAME, MAX_SPELLING = 200, 60
SAINTS = {"st": "saint", "sankt": "saint", "ste": "sainte"}
# How names are written on a keyboard without these letters.
TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


@lru_cache(maxsize=4096)
def spelling_of(text: str) -> str:
    """Return the words of a name without accents, case and punctuation: `St. Gallen` gives `saint gallen`."""
    words = WORD.findall(fold(in_latin_letters(text)))
    return " ".join(SAINTS.get(word, word) for word in words)[:MAX_SPELLING]


def plain_spellings(name: str) -> list[str]:
    """Return the spellings of one name: `München` is written `munchen` and `muenchen`."""
    lowered = name.lower()
    spelled_out = lowered.translate(TWO_LETTERS)
    return [spelling_of(name), *([spelling_of(spelled_out)] if spelled_out != lowered else ())]
