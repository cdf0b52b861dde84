"""The words of a name without accents and case, how a word sounds, and words that are nearly the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from string import ascii_lowercase

# Letters that have no decomposition; what a player would type on a plain keyboard.
PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h"}
)
WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """Return the text in lower case without accents: `Müller, José` gives `muller, jose`."""
    lowered = text.casefold().translate(PLAIN)
    if lowered.isascii():
        return lowered
    # Mathematical and similar letters have no case; their compatible letters may have one.
    decomposed = unicodedata.normalize("NFKD", lowered).casefold().translate(PLAIN)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def words_of(name: str) -> list[str]:
    """Return the distinct words of a name in order, for searching: `O'Brien, Anna` gives `o`, `brien`, `anna`.

    A word of Latin letters may have Cyrillic or Greek ones that look alike: it is found by the Latin ones.
    """
    # Cut to the column of `NameWord`.
    return list(dict.fromkeys(word[:60] for word in WORD.findall(fold(_in_one_script(name)))))


# Letters of other scripts that look like Latin ones (Unicode's confusables), as they are written: a capital looks like
# another letter than the small one does.
LOOK_ALIKE = str.maketrans(
    "АВЕЗКМНОРСТУХІЈЅҮҺԌԚԜаезкмнорстухіјѕһԁԛԝӏьΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχγω",
    "ABE3KMHOPCTYXIJSYHGQWae3kmhopctyxijshdqwlbABEZHIKMNOPTYXabeikvoptuxyw",
)
# Letters that look alike once the case is left aside.
ALIKE = str.maketrans("i1|305", "llleos")


def skeleton(name: str) -> str:
    """Return the visual skeleton of a name, its words in order: names with the same skeleton look the same."""
    seen = fold(visible(name).translate(LOOK_ALIKE)).translate(ALIKE)
    # In many typefaces rn looks like m, and vv like w.
    return " ".join(sorted(WORD.findall(seen.replace("rn", "m").replace("vv", "w"))))


def visible(text: str) -> str:
    """Return the text without characters that nobody sees: those of control, format and direction."""
    return "".join(letter for letter in text if not is_hidden(letter))


def is_hidden(letter: str) -> bool:
    """Return whether a character is invisible, or changes the direction of others."""
    is_control = unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
    return is_control or SHAPELESS.fullmatch(letter) is not None


# Letters of Hangul and Braille's blank, and marks that join or select a shape: all are invisible.
SHAPELESS = re.compile(
    "[\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
# Whether a sign is shown in colour or as a letter: keyboards write it behind the signs of chess pieces.
EMOJI_STYLES = "\ufe0e\ufe0f"


def scripts_of(text: str) -> set[str]:
    """Return the scripts of the letters of a text, as `LATIN`; signs beside letters, as in `Oʻahu`, have none."""
    letters = (unicodedata.normalize("NFKC", letter) for letter in text if letter.isalpha())
    names = (unicodedata.name(letter[0], "UNKNOWN").partition(" ")[0] for letter in letters)
    return {name for name in names if name != "MODIFIER"}


# Written together in one word.
EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"}


def has_mixed_word(text: str) -> bool:
    """Return whether a word has letters of two alphabets: `Сup` with a Cyrillic С, but not `Кубок FIDE`."""
    return any(len(scripts_of(word) - EAST_ASIAN) > 1 for word in WORD.findall(text))


def _in_one_script(name: str) -> str:
    if name.isascii():
        return name
    parts = re.split(r"(\s+|[-,.'])", visible(name))
    return "".join(part.translate(LOOK_ALIKE) if "LATIN" in scripts_of(part) else part for part in parts)


# Names of players are in Latin letters; these are searched for in other scripts, too (ISO 9 and ELOT 743, simplified).
CYRILLIC = dict(zip("абвгдезийклмнопрстуфыэіїґўј", "abvgdeziiklmnoprstufyeiiguj", strict=True))
CYRILLIC |= {"ё": "e", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": ""}
CYRILLIC |= {"ю": "yu", "я": "ya", "є": "ye", "ђ": "dj", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz"}
GREEK = dict(zip("αβγδεζηικλμνξοπρσςτυφω", "avgdeziiklmnxoprsstyfo", strict=True))
GREEK |= {"θ": "th", "χ": "ch", "ψ": "ps"}
LATIN = str.maketrans(CYRILLIC | GREEK)


def in_latin_letters(text: str) -> str:
    """Return a text with its Cyrillic and Greek letters transliterated: `Велленштейн` gives `vellenshtein`."""
    if text.isascii():
        return text
    # Composed before, because й is another letter than и; taken apart after, for letters with an accent such as ά.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text.casefold()).translate(LATIN))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).translate(LATIN)


# The column of `NameSound`.
LONGEST_SOUND = 12
# With fewer consonants than this the vowels distinguish words: `Li` and `Lu`, but `Li` and `Lee` alike.
MIN_CONSONANTS = 3
# Spellings of one sound: German, English, French, Polish and Russian names in Latin letters.
SPELLINGS = {
    "s": (
        "tzsch",
        "tsch",
        "shch",
        "szcz",
        "sch",
        "tch",
        "sh",
        "ch",
        "cz",
        "sz",
        "zh",
        "ts",
        "tz",
        "dj",
        "dz",
    ),
    "f": ("ph",),
    "t": ("th", "dh"),
    "g": ("gh",),
    "h": ("kh",),
    "k": ("ck", "qu"),
    "ks": ("x",),
    "se": ("ce",),
    "si": ("ci", "cy"),
    "i": ("ai", "ay", "ei", "ey", "ie", "ee", "eu"),
    "u": ("oo", "ou"),
}
SOUNDS = {spelling: sound for sound, spellings in SPELLINGS.items() for spelling in spellings}
# The longest first: an alternation takes the first one that fits.
SPELLING = re.compile("|".join(sorted(SOUNDS, key=len, reverse=True)))
LETTERS = str.maketrans("cqzwvdeyo", "kksfftiiu")
NOT_LETTER = re.compile("[^a-z]")
DOUBLED = re.compile(r"(.)\1+")
VOWELS = "aiu"


@lru_cache(maxsize=50_000)
def sound_of(word: str) -> str:
    """Return a key that words of one sound share, empty without Latin letters: `meier` and `mayr` give `mir`.

    The word is in lower case without accents, as `words_of` gives it.
    """
    return _without_vowels(voiced_sound_of(word))[:LONGEST_SOUND]


def voiced_sound_of(word: str) -> str:
    """Return the sound of a word with its vowels: `martin` and `marten` share it, `morton` does not."""
    letters = NOT_LETTER.sub("", word)
    if not letters:
        return ""
    first = "j" if re.match("[jy][aeou]", letters) else ""
    spelled = SPELLING.sub(lambda found: SOUNDS[found[0]], letters.removeprefix(letters[0] if first else ""))
    merged = DOUBLED.sub(r"\1", spelled.translate(LETTERS).replace("j", "i"))
    return DOUBLED.sub(r"\1", first + merged[0] + merged[1:].replace("h", ""))


def _without_vowels(key: str) -> str:
    """Leave the vowels of a telling word out; one it begins with stays as a mark, whichever it is."""
    consonants = "".join(letter for letter in key if letter not in VOWELS)
    if len(consonants) < MIN_CONSONANTS:
        return key
    return ("a" if key[0] in VOWELS else "") + consonants


def one_edit_variants(word: str) -> Iterator[str]:
    """Yield the words with one typing error: a letter missing, changed, inserted, or two swapped."""
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        if after:
            yield before + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
        for letter in ascii_lowercase:
            yield before + letter + after
            if after:
                yield before + letter + after[1:]


def edit_distance(first: str, second: str) -> int:
    """Return how many slips lie between two words: letters left out, changed, put in, or neighbours exchanged."""
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        here = [row]
        for column, other in enumerate(second, start=1):
            cost = min(above[column] + 1, here[-1] + 1, above[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == second[column - 2] and first[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        before, above = above, here
    return above[-1]
