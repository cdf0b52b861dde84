"""The likely encoding of a file that is not UTF-8: that in which most of its words have the letters of one language.

A word is looked at by itself, so a file may have names of many countries. Where two encodings do as well, the first of
the table is taken: names that are right in Windows-1252 are never made worse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from tournaments.trf.findings import gettext_noop

# Languages by the letters that they have besides a to z.
WESTERN = (
    "äöüß", "àâçéèêëîïôùûüÿœæ", "áéíóúüñ", "áâãàçéêíóôõú", "åäöæøé", "àèéìíòóùú", "áðéíóúýþæö", "àçéèíïóòúü", "äëïöüéè",
)  # fmt: skip
CENTRAL = (
    "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "čćđšž", "ăâîşţșț", "äöüß", "ëç", "äõöüšž",
)  # fmt: skip
CYRILLIC = (
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "абвгдђежзијклљмнњопрстћуфхцчџш",
)
GREEK = ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",)
# The small letter of İ is an i with a mark of its own.
TURKISH = ("çğıöşüâîûi̇",)
BALTIC = ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")
WORD = re.compile(rb"[^\s,;.()\"/|:]+")
SAMPLE, MOST_WORDS, LONGEST_WORD = 200_000, 400, 60
# How much better than the encodings before it another one has to be.
MARGIN = 0.15


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding, what it is called, and the alphabets of its languages; none for one of many thousand letters."""

    codec: str
    name: str
    alphabets: tuple[str, ...] = ()
    frequent: tuple[tuple[int, int], ...] = ()


WINDOWS_1252 = Encoding("cp1252", gettext_noop("Western European (Windows-1252)"), WESTERN)
ENCODINGS = (
    WINDOWS_1252,
    Encoding("cp1250", gettext_noop("Central European (Windows-1250)"), CENTRAL),
    Encoding("iso8859_2", gettext_noop("Central European (ISO 8859-2)"), CENTRAL),
    Encoding("cp1251", gettext_noop("Cyrillic (Windows-1251)"), CYRILLIC),
    Encoding("koi8_r", gettext_noop("Cyrillic (KOI8-R)"), CYRILLIC),
    Encoding("cp1253", gettext_noop("Greek (Windows-1253)"), GREEK),
    Encoding("cp1254", gettext_noop("Turkish (Windows-1254)"), TURKISH),
    Encoding("cp1257", gettext_noop("Baltic (Windows-1257)"), BALTIC),
    # The first bytes of the letters that are in most names.
    Encoding("gb18030", gettext_noop("Chinese, simplified (GB18030)"), frequent=((0xB0, 0xF7),)),
    Encoding("big5", gettext_noop("Chinese, traditional (Big5)"), frequent=((0xA4, 0xC6),)),
    Encoding("cp932", gettext_noop("Japanese (Shift-JIS)"), frequent=((0x82, 0x83), (0x88, 0x97))),
)


def likely_encoding(data: bytes) -> Encoding:
    """Return the likely encoding of bytes that are not UTF-8."""
    found = (match[0] for match in WORD.finditer(data, 0, SAMPLE))
    words = list(dict.fromkeys(word for word in found if not word.isascii() and len(word) <= LONGEST_WORD))[
        :MOST_WORDS
    ]
    best, most = WINDOWS_1252, 0.0
    for encoding in ENCODINGS:
        if not _reads(data, encoding.codec):
            continue
        worth = sum(_worth(word, encoding) for word in words) / max(1, len(words))
        if worth > most + MARGIN or (encoding is WINDOWS_1252 and worth):
            best, most = encoding, worth
    return best


def _reads(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _worth(word: bytes, encoding: Encoding) -> float:
    """Return from 0 to 1 how well the word is one of a language of the encoding."""
    try:
        text = word.decode(encoding.codec)
    except UnicodeDecodeError:
        return 0
    if encoding.frequent:
        return _worth_of_signs(text, encoding)
    letters = [letter for letter in text if not letter.isascii()]
    if encoding.alphabets in (CYRILLIC, GREEK) and len(letters) < sum(map(str.isalpha, text)):
        # Latin letters are in no word of another alphabet: `Yэlmaz`.
        return 0
    known = max(sum(letter.lower() in alphabet for letter in letters) for alphabet in encoding.alphabets)
    # Small letters before capital ones are no word: `иБЮМНБ`.
    turns = sum(one.islower() and other.isupper() for one, other in pairwise(text))
    # Nor are two capital letters before small ones: `НЯкпт`.
    turns += text[:2].isupper() and text[2:3].islower()
    signs = sum(not letter.isalpha() for letter in letters)
    return max(0.0, (known - 2 * turns - signs) / len(letters))


def _worth_of_signs(text: str, encoding: Encoding) -> float:
    signs = [sign for sign in text if not sign.isascii()]
    first = [sign.encode(encoding.codec)[0] for sign in signs]
    known = sum(any(low <= one <= high for low, high in encoding.frequent) for one in first)
    # A name has two of them and more, and no letters between.
    return known / len(text) if len(text) > 1 and len(signs) == len(text) else 0.0


def sample_names(text: str, *, most: int = 3) -> str:
    """Return the first names of players that have more than ASCII in them; without one, other words that have."""
    lines = [line for line in text[:SAMPLE].splitlines() if not line.isascii()]
    names = [re.split(r"\s{2,}|[|\t]|\d", line[14:47].strip())[0] for line in lines if line.startswith("001")]
    found = [name for name in dict.fromkeys(names) if name and not name.isascii()]
    words = [word for line in lines for word in line[4:80].split() if not word.isascii()]
    return " · ".join((found or list(dict.fromkeys(words)))[:most])
