"""Whether two spellings of names can be of one person (D-118)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from players.spelling import edit_distance, in_latin_letters, voiced_sound_of, words_of

# Small words of surnames: people who share one have nothing else in common.
PARTICLES = frozenset((
    "af", "al", "am", "an", "ap", "as", "at", "au", "auf", "aus", "av", "bar", "ben", "bin", "bint", "d", "da", "dal",
    "dalla", "das", "de", "degli", "dei", "del", "della", "delle", "den", "der", "des", "di", "do", "dos", "du", "e",
    "el", "et", "fitz", "i", "ibn", "im", "in", "l", "la", "las", "le", "les", "lo", "los", "mac", "mc", "o", "op",
    "os", "s", "san", "st", "t", "te", "ten", "ter", "u", "und", "v", "van", "vd", "ver", "vom", "von", "y", "z",
    "zu", "zum", "zur",
))  # fmt: skip
# What is no part of a name, and the generations of one.
HONORIFICS = frozenset((
    "dr", "prof", "mag", "ing", "dipl", "mr", "mrs", "ms", "herr", "frau", "gm", "im", "fm", "cm", "wgm", "wim", "wfm",
    "wcm",
))  # fmt: skip
YOUNGER = frozenset(["jr", "jun", "junior", "jnr", "ii", "iii", "filho"])
ELDER = frozenset(["sr", "sen", "senior", "snr"])
# Initials that transliterations exchange, as of Yevgeny and Jewgeni; and first letters of words that are alike in the
# rest: Khalid and Halid, Hryhoriy and Grigori, Oleksandr and Aleksandr.
INITIALS = tuple(map(frozenset, ("ijy", "ejy", "ckq", "vw", "fp")))
FIRST_LETTERS = (*INITIALS, *map(frozenset, ("kh", "gh", "ao")))
# Given names that one person has in several languages, with other initials: passports of Ukraine and Belarus say Mykola
# and Mikalai where older lists say Nikolai.
GIVEN_NAMES = (
    ("aleksandr", "aleksander", "alexander", "alexandr", "aliaksandr", "oleksandr", "olexandr"),
    ("alena", "elena", "olena", "yelena"),
    ("anna", "ganna", "hanna"),
    ("ekaterina", "katsiaryna", "kateryna", "yekaterina"),
    ("georgi", "georgii", "georgiy", "georgy", "heorhi", "heorhii", "heorhiy"),
    ("grigori", "grigorii", "grigoriy", "grigory", "hryhori", "hryhorii", "hryhoriy", "ryhor"),
    ("mikalai", "mykola", "nicolai", "nikolai", "nikolaj", "nikolay"),
)
NATIONAL_FORMS = {name: names[0] for names in GIVEN_NAMES for name in names}
# So many slips make no other name, by the letters of the shorter word.
SLIPS = ((10, 2), (5, 1), (0, 0))
# In shorter words a sound that is spelled with another first letter is another name: Chen and Shen.
LONG_WORD = 6
# In a word that is no longer, another letter makes another name: Zhang and Zheng.
SHORT_WORD = 5
# A name of so many letters may be cut off.
CUT_FROM = 20
# What follows a particle in one word has so many letters at least.
SHORTEST_NAME = 3
UMLAUT = re.compile("([aou])e")
DOUBLED = re.compile(r"(.)\1+")
LATIN_WORD = re.compile("[a-z]+")

Words = tuple[str, ...]


class Likeness(StrEnum):
    """What two spellings of names have in common."""

    SAME = "same"
    OTHER_GIVEN_NAME = "other-given-name"
    OTHER_SURNAME = "other-surname"


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name in its parts; without a comma all of it is the surname."""

    surname: str
    given: str = ""

    @property
    def listed(self) -> str:
        """The name as the lists have it: `Klein, Paul`."""
        return f"{self.surname}, {self.given}" if self.given else self.surname


def split_name(text: str) -> PersonName:
    """Return the surname, which is before the first comma, and the given names after it."""
    surname, _comma, given = text.partition(",")
    return PersonName(" ".join(surname.split()), " ".join(given.replace(",", " ").split()))


def generation_of(text: str) -> str:
    """Return `younger` or `elder` where a name says so (jun., sen.), else nothing."""
    # Not of the first word: Junior is a surname, too.
    words = set(words_of(text)[1:])
    return "younger" if words & YOUNGER else "elder" if words & ELDER else ""


def have_a_word_in_common(one: str, other: str) -> bool:
    """Return whether texts around names have a word of a name in common, or one of them has none."""
    first, second = (_without_particles(_words(in_latin_letters(text))) for text in (one, other))
    if not first or not second:
        return True
    return any(is_word_alike(mine, its) for mine in first for its in second if len(mine) > 1)


def compare_names(one: str, other: str) -> Likeness:
    """Return what two spellings have in common: the same, where both can be of one person.

    Surnames are compared without particles, as they sound and but for a slip; given names by their initials. A name in
    a script that is not transliterated says nothing against anybody.
    """
    if {generation_of(one), generation_of(other)} == {"younger", "elder"}:
        return Likeness.OTHER_GIVEN_NAME
    first, second = _parts(one), _parts(other)
    if not first.words or not second.words or _is_whole_name_alike(first, second):
        return Likeness.SAME
    found = Likeness.OTHER_SURNAME
    for surname, given in first.readings():
        for other_surname, other_given in second.readings():
            if are_surnames_alike(surname, other_surname):
                if _are_given_names_alike(given, other_given):
                    return Likeness.SAME
                found = Likeness.OTHER_GIVEN_NAME
    return found


def can_be_compared(name: str) -> bool:
    """Return whether a name has words of Latin or transliterated letters: `王伟` and `?` have none."""
    return bool(_parts(name).words)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The words of a name before and after the comma, all before it where there is none."""

    surname: Words
    given: Words

    @property
    def words(self) -> Words:
        return self.surname + self.given

    def readings(self) -> Iterator[tuple[Words, Words]]:
        """Yield surname and given names as they can be meant: without a comma either may be the first."""
        if self.given or len(self.surname) == 1:
            yield self.surname, self.given
            return
        for place in range(1, len(self.surname)):
            yield self.surname[:place], self.surname[place:]
            yield self.surname[place:], self.surname[:place]


@lru_cache(maxsize=20_000)
def _parts(text: str) -> _Parts:
    name = split_name(in_latin_letters(text))
    surname, given = _words(name.surname), _words(name.given)
    return _Parts(surname, given) if surname else _Parts(given, ())


def _words(text: str) -> Words:
    """Return the words of a part in Latin letters, a repeated one too, without titles and generations."""
    words = [word for part in text.split() for whole in words_of(part) for word in LATIN_WORD.findall(whole)]
    return tuple(word for word in words if word not in HONORIFICS | YOUNGER | ELDER)


def _is_whole_name_alike(first: _Parts, second: _Parts) -> bool:
    """Compare names whose parts are written elsewhere: cut off, in another order, or without the given names."""
    if sorted(first.words) == sorted(second.words):
        return True
    for one, other in ((first, second), (second, first)):
        letters = "".join(one.words)
        if len(letters) >= CUT_FROM and "".join(other.words).startswith(letters):
            return True
        if not one.given and _are_all_among(one.words, other.surname):
            return True
        if _are_exchanged(one, other):
            return True
    fewer, more = sorted((_without_particles(first.words), _without_particles(second.words)), key=len)
    in_full = {word for word in fewer if len(word) > 1} & set(more)
    return len(in_full) > 1 and _are_all_among(fewer, more)


def _are_exchanged(one: _Parts, other: _Parts) -> bool:
    """Return whether given names are where the surname should be: `Paul, Klein`, or `P, Klein`."""
    if not one.given or not other.given or not are_surnames_alike(one.given, other.surname):
        return False
    return any(
        is_word_alike(mine, its) or _is_initial(mine, its) for mine in one.surname for its in other.given
    )


def are_surnames_alike(one: Words, other: Words) -> bool:
    """Compare the words of surnames: joined, and each without particles; one of several surnames may be missing."""
    if _is_spelled_alike("".join(one), "".join(other)):
        return True
    first, second = _without_particles(one), _without_particles(other)
    if not first or not second:
        return False
    if _is_spelled_alike("".join(first), "".join(second)):
        return True
    if _is_with_particle(one, second) or _is_with_particle(other, first):
        return True
    return _are_all_among(*sorted((first, second), key=len))


def _without_particles(words: Words) -> Words:
    return tuple(word for word in words if word not in PARTICLES)


def joined_spellings(words: Sequence[str]) -> list[list[str]]:
    """Return words with a particle joined to what follows: `van der berg` gives `vanderberg` and `vander berg`."""
    found = []
    for place, word in enumerate(words[:-1]):
        if word in PARTICLES and not (place and words[place - 1] in PARTICLES):
            end = next(
                (at for at in range(place, len(words) - 1) if words[at] not in PARTICLES), len(words) - 1
            )
            for last in range(end, place, -1):
                found.append([*words[:place], "".join(words[place : last + 1]), *words[last + 1 :]])
    return found


def parts_of_joined(word: str) -> list[tuple[str, str]]:
    """Return two words that may be written together in one: halves, and a particle with what follows the last one."""
    pairs = [
        (word[:place], word[place:])
        for place in range(1, len(word) - SHORTEST_NAME + 1)
        if place > 1 or word[0] in PARTICLES
    ]
    chains = [(first, rest) for first, others in pairs if first in PARTICLES for rest in _rests(others)]
    return list(dict.fromkeys([*pairs, *chains]))


def _rests(word: str) -> list[str]:
    """Return what follows the particles with which a word begins: `berg` of `derberg`."""
    rests = (word[place:] for place in range(1, len(word) - SHORTEST_NAME + 1) if word[:place] in PARTICLES)
    return [found for rest in rests for found in (rest, *_rests(rest))]


def _is_with_particle(words: Words, bare: Words) -> bool:
    """Return whether a surname is a particle joined to another surname: `Alsayed` and `Sayed`."""
    joined, rest = "".join(words), "".join(bare)
    return joined.endswith(rest) and joined.removesuffix(rest) in PARTICLES


def _are_all_among(fewer: Words, more: Words) -> bool:
    """Return whether each word has its own among the others, one of them in full at least."""
    left, is_full = [*more], False
    for word in fewer:
        alike = next((other for other in left if is_word_alike(word, other)), None)
        is_full = is_full or (alike is not None and len(word) > 1)
        alike = alike or next((other for other in left if _is_initial(word, other)), None)
        if alike is None:
            return False
        left.remove(alike)
    return is_full


def _is_initial(one: str, other: str) -> bool:
    return 1 in (len(one), len(other)) and one[0] == other[0]


def _are_given_names_alike(one: Words, other: Words) -> bool:
    """Compare given names by their initials: one in common is enough, and so is a name that is missing."""
    if not one or not other:
        return True
    return any(
        _begin_alike(mine, its, INITIALS) or is_word_alike(mine, its) or _is_in_another_language(mine, its)
        for mine in one
        for its in other
    )


def _is_in_another_language(one: str, other: str) -> bool:
    return one in NATIONAL_FORMS and NATIONAL_FORMS[one] == NATIONAL_FORMS.get(other)


def _begin_alike(one: str, other: str, alike: Iterable[frozenset[str]] = FIRST_LETTERS) -> bool:
    first, second = one[0], other[0]
    return first == second or any(first in letters and second in letters for letters in alike)


@lru_cache(maxsize=50_000)
def is_word_alike(one: str, other: str) -> bool:
    """Return whether two folded words are spellings of one, or but for a slip where they are long enough."""
    if _is_spelled_alike(one, other):
        return True
    first, second = _plain(one), _plain(other)
    if not first or not second or not _begin_alike(first, second):
        return False
    shorter = min(len(first), len(second))
    # Two letters in the wrong order are a slip even there.
    if len(first) == len(second) <= SHORT_WORD and sorted(first) != sorted(second):
        return False
    allowed = next(slips for letters, slips in SLIPS if shorter >= letters)
    slips = edit_distance(first, second), edit_distance(voiced_sound_of(first), voiced_sound_of(second))
    return min(slips) <= allowed


def _is_spelled_alike(one: str, other: str) -> bool:
    """Return whether folded words differ by the spelling of umlauts and sounds only."""
    first, second = _plain(one), _plain(other)
    if first == second:
        return True
    if voiced_sound_of(first) != voiced_sound_of(second) or not first or not second:
        return False
    return min(len(first), len(second)) >= LONG_WORD or _begin_alike(first, second)


def _plain(word: str) -> str:
    """Return a word without the spellings of umlauts, of Đ and of Å, and without doubled letters."""
    return DOUBLED.sub(r"\1", UMLAUT.sub(r"\1", word).replace("dj", "d"))
