"""Names that look as if they were typed wrongly, with what was probably meant: `KLEIN paul` for `Klein, Paul`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from players.person_names import HONORIFICS, PARTICLES, PersonName, split_name

# Titles that are no surname of anybody, however they are written; the others are where they are in capitals (GM) or
# end in a full stop: Im and Ing are surnames.
TITLES = frozenset(("dr", "prof", "mr", "mrs", "herr", "frau"))
# Among given names fewer words are small: Vietnamese ones are Van, An and Do.
SMALL_IN_GIVEN = frozenset(("da", "das", "de", "del", "della", "di", "dos", "la", "las", "los", "y"))
ROMAN = re.compile("[IVX]+")
VOWELS = frozenset("AEIOUY")
# So many capitals may be initials: AJ, and without a vowel KVS.
SHORT_INITIALS, LONG_INITIALS = 2, 3
PIECE = re.compile(r"[^\W\d_]+")
SCOTTISH = re.compile("^Mc([a-z])")


class Slip(StrEnum):
    """What looks wrong in a name: codes of refusals."""

    ONE_WORD = "name-one-word"
    UNSPLIT = "name-unsplit"
    TITLE = "name-title"
    LETTERS = "name-letters"


@dataclass(frozen=True, slots=True)
class NameDoubt:
    """Why a name looks wrong, and the names that were probably meant, the likeliest first."""

    slip: Slip
    proposals: tuple[PersonName, ...] = ()


def name_of_fields(surname: str, given: str) -> PersonName:
    """Return the name that was typed into two fields; the whole of it may stand in one of them."""
    own, whole = split_name(surname), split_name(given)
    if "," in given and whole.surname.casefold() == own.surname.casefold():
        return whole
    rest = " ".join(given.replace(",", " ").split())
    if own.given.casefold() != rest.casefold():
        rest = " ".join(filter(None, (own.given, rest)))
    return PersonName(own.surname, rest)


def doubt_about(listed: str) -> NameDoubt | None:
    """Return why a name, as it would be listed, looks wrong; None where nothing does."""
    name = split_name(listed)
    surname, given = (_without_titles(part.split()) for part in (name.surname, name.given))
    if given:
        meant = _recased_name(surname, given)
        if meant == name:
            return None
        has_title = [*surname, *given] != [*name.surname.split(), *name.given.split()]
        return NameDoubt(Slip.TITLE if has_title else Slip.LETTERS, (meant,))
    if len(surname) < 2:
        return NameDoubt(Slip.ONE_WORD)
    return NameDoubt(Slip.UNSPLIT, _splits(surname))


def _splits(words: Sequence[str]) -> tuple[PersonName, ...]:
    """Return the ways in which words without a comma are surname and given names, the likeliest first."""
    found = []
    for is_surname in _readings(words):
        surname = [word for word, chosen in zip(words, is_surname, strict=True) if chosen]
        given = [word for word, chosen in zip(words, is_surname, strict=True) if not chosen]
        if surname and given:
            found.append(_recased_name(surname, given))
    return tuple(dict.fromkeys(found))


def _readings(words: Sequence[str]) -> list[list[bool]]:
    """Return, for each reading of the words, which of them are the surname."""
    initials = [_is_initial(word) for word in words]
    if any(initials) and not all(initials):
        return [[not is_initial for is_initial in initials]]
    shouted = [_is_shouted(word) for word in words]
    others = [is_shouted for word, is_shouted in zip(words, shouted, strict=True) if not _is_particle(word)]
    if any(others) and not all(others):
        return [_with_particles(words, shouted)]
    places = range(len(words))
    name = next((at for at in places if not _is_particle(words[at])), 0)
    last, first = [at == len(words) - 1 for at in places], [at <= name for at in places]
    particle = next((at for at in places if at > name and _is_particle(words[at])), len(words))
    from_particle = [at >= particle for at in places]
    if not all(shouted):
        return [from_particle] if particle < len(words) - 1 else [last, first]
    # Lists in capitals have the surname first.
    return [first, from_particle, last] if particle < len(words) - 1 else [first, last]


def _with_particles(words: Sequence[str], chosen: Sequence[bool]) -> list[bool]:
    """Add the particles before the chosen words: `van der BERG Jan`."""
    found = list(chosen)
    for at in range(len(words) - 2, -1, -1):
        found[at] = found[at] or (found[at + 1] and _is_particle(words[at]))
    return found


def _without_titles(words: list[str]) -> list[str]:
    """Leave out titles, unless nothing else is left."""
    return [word for word in words if not _is_title(word)] or words


def _is_title(word: str) -> bool:
    plain = word.rstrip(".").casefold()
    return plain in TITLES or (plain in HONORIFICS and (word.isupper() or word.endswith(".")))


def _is_particle(word: str) -> bool:
    """Return whether a word that is not capitalized, or is in a name in capitals, is a particle."""
    return len(word) > 1 and word.casefold() in PARTICLES and (word.islower() or word.isupper())


def _is_initial(word: str) -> bool:
    return len(word.rstrip(".")) == 1 and word[0].isupper()


def _is_shouted(word: str) -> bool:
    """Return whether a word is in capitals that are no initial and no number."""
    letters = [letter for letter in word if letter.isalpha()]
    return len(letters) > 1 and word.isupper() and not ROMAN.fullmatch(word)


def _recased_name(surname: Sequence[str], given: Sequence[str]) -> PersonName:
    """Return words in capitals or small letters as they are written in a name, the others as they are."""
    # Beside a surname in capitals short given names are names; else they may be initials.
    is_loud = all(map(_is_shouted, surname))
    written = [
        word
        if _are_initials(word, has_vowel=not is_loud)
        else _recase(word, SMALL_IN_GIVEN, is_first=not place)
        for place, word in enumerate(given)
    ]
    particles = PARTICLES if any(word.casefold() not in PARTICLES for word in surname) else frozenset[str]()
    words = [_recase(word, particles, is_first=not place) for place, word in enumerate(surname)]
    return PersonName(" ".join(words), " ".join(written))


def _are_initials(word: str, *, has_vowel: bool) -> bool:
    """Return whether capitals may be initials: `KVS` and `J.P.`, and `AJ` where they may have a vowel."""
    if not word.isupper():
        return False
    is_short = has_vowel and len(word) <= SHORT_INITIALS
    return is_short or "." in word or (len(word) <= LONG_INITIALS and not VOWELS.intersection(word))


def _recase(word: str, small: frozenset[str], *, is_first: bool) -> str:
    is_small = word.casefold().strip("'’") in small
    if _is_shouted(word):
        return word.lower() if is_small and not is_first else _capitalize(word)
    return _capitalize(word) if word.islower() and not is_small else word


def _capitalize(word: str) -> str:
    """Return `O'Neill-McDonald` for `O'NEILL-MCDONALD`."""
    lowered = PIECE.sub(lambda piece: piece[0][0].upper() + piece[0][1:], word.lower())
    return PIECE.sub(lambda piece: SCOTTISH.sub(lambda found: "Mc" + found[1].upper(), piece[0]), lowered)
