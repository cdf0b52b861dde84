"""The people of the demonstration: players of one federation and guests of five others, none of them real."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from demo import names
from demo.names import Language
from players.fide_list import ListRecord, Rating

HOME = "LUX"
PLAYERS = 400
GUESTS = 9
# The first digits of a federation's FIDE IDs; numbers from 9000 on are not in use in any of these blocks.
BLOCKS = {"LUX": 40, "DEN": 14, "ISL": 23, "POR": 19, "SLO": 146, "SUI": 13}
FIRST_NUMBER = 9000
GUEST_LANGUAGES = {
    "DEN": (names.DANISH,),
    "ISL": (names.ICELANDIC,),
    "POR": (names.PORTUGUESE,),
    "SLO": (names.SLOVENE,),
    "SUI": (names.GERMAN, names.FRENCH, names.ITALIAN),
}
LOWEST = 1400
AVERAGE, SPREAD = 1690, 290
LOWEST_STRENGTH, HIGHEST = 1150, 2080
# How strong the young are at most, by age.
YOUNG = ((10, 1450), (13, 1700), (16, 1950))
OFFICIALS = ("FA", "NA", "IA", "FA,NI", "DI", "FST", "IA,IO")
# The strongest players' strengths, titles and sexes; everybody else is drawn.
STRONGEST = (
    *((2548, "GM", "M"), (2491, "GM", "M"), (2437, "IM", "M"), (2418, "IM", "M"), (2391, "IM", "F")),
    *((2366, "FM", "M"), (2342, "FM", "M"), (2330, "FM", "M"), (2318, "FM", "M"), (2291, "WGM", "F")),
    *((2284, "FM", "M"), (2262, "FM", "M"), (2247, "WIM", "F"), (2231, "CM", "M"), (2214, "FM", "M")),
    *((2202, "CM", "M"), (2188, "WFM", "F"), (2171, "CM", "M"), (2134, "WFM", "F"), (2096, "WCM", "F")),
)


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the starting list has them, how well they really play, and how often."""

    record: ListRecord
    strength: int
    activity: int

    @property
    def fide_id(self) -> int:
        return self.record.fide_id

    @property
    def is_rated(self) -> bool:
        """Whether the starting list has any rating of theirs."""
        return any((self.record.standard, self.record.rapid, self.record.blitz))


def fide_id(federation: str, number: int) -> int:
    """Return a FIDE ID of a federation's block with the check digit that goes with it."""
    return with_check_digit(BLOCKS[federation] * 10_000 + number)


def with_check_digit(number: int) -> int:
    """Return a number of at most seven digits with the check digit of FIDE IDs behind it."""
    digits = [int(digit) for digit in str(number)]
    weights = range(len(digits) + 1, 1, -1)
    total = sum(weight * digit for weight, digit in zip(weights, digits, strict=True))
    return number * 10 + (11 - total % 11) % 11 % 10


def everybody(rng: Random, *, year: int) -> list[Person]:
    """Return all players of the demonstration, as they stand on a list of that year."""
    home = list(_home(rng, year))
    long, short = home[40], home[57]
    home[40] = replace(long, record=long.record._replace(name=names.LONGEST_NAME, sex="F", flag="w"))
    home[57] = replace(short, record=short.record._replace(name=names.ONLY_NAME, sex="F", flag="w"))
    return home + [person for federation in GUEST_LANGUAGES for person in _guests(rng, federation, year)]


def _home(rng: Random, year: int) -> Iterator[Person]:
    taken: set[str] = set()
    for number, (strength, title, sex) in enumerate(STRONGEST):
        born = year - rng.randint(19, 48)
        yield _person(rng, taken, HOME, number, names.AT_HOME, sex, born, strength, year=year, title=title)
    for number in range(len(STRONGEST), PLAYERS):
        sex = "F" if rng.randrange(100) < 24 else "M"
        born = year - _age(rng)
        strength = _strength(rng, year - born)
        yield _person(rng, taken, HOME, number, names.AT_HOME, sex, born, strength, year=year)


def _guests(rng: Random, federation: str, year: int) -> Iterator[Person]:
    taken: set[str] = set()
    for number in range(GUESTS):
        sex = "F" if rng.randrange(100) < 30 else "M"
        strength = rng.randint(1750, 2480)
        title = "GM" if strength >= 2450 else "IM" if strength >= 2380 else "FM" if strength >= 2280 else ""
        languages = GUEST_LANGUAGES[federation]
        born = year - rng.randint(15, 60)
        yield _person(rng, taken, federation, number, languages, sex, born, strength, year=year, title=title)


def _age(rng: Random) -> int:
    """Return a drawn age: three in ten are juniors, one in five is a senior."""
    group = rng.randrange(10)
    if group < 3:
        return rng.randint(8, 18)
    return rng.randint(19, 59) if group < 8 else rng.randint(60, 88)


def _strength(rng: Random, age: int) -> int:
    highest = next((strength for oldest, strength in YOUNG if age <= oldest), HIGHEST)
    return max(LOWEST_STRENGTH, min(highest, round(rng.gauss(AVERAGE, SPREAD))))


def _person(
    rng: Random,
    taken: set[str],
    federation: str,
    number: int,
    languages: tuple[Language, ...],
    sex: str,
    born: int,
    strength: int,
    *,
    year: int,
    title: str = "",
) -> Person:
    record = ListRecord(
        fide_id=fide_id(federation, FIRST_NUMBER + number),
        name=_new_name(rng, taken, languages, sex),
        federation=federation,
        sex="F" if sex == "F" else "M",
        title=title,
        women_title=title if title.startswith("W") else "",
        other_titles=rng.choice(OFFICIALS) if born < year - 30 and rng.randrange(12) == 0 else "",
        foa_title="",
        birth_year=born,
        flag="",
        standard=None,
        rapid=None,
        blitz=None,
    )
    is_known = bool(title) or federation != HOME
    if is_known or rng.randrange(100) < _chance_of_rating(strength):
        record = _with_ratings(rng, record, strength, year=year, is_known=is_known)
    often = (4, 5, 6) if is_known else (2, 2, 3, 4, 6)
    return Person(record, strength, 1 if "i" in record.flag else rng.choice(often))


def _chance_of_rating(strength: int) -> int:
    """Return in how many of a hundred cases a player of that strength has a rating."""
    return 96 if strength >= 1900 else 82 if strength >= 1650 else 55


def _new_name(rng: Random, taken: set[str], languages: tuple[Language, ...], sex: str) -> str:
    name = rng.choice(languages).name(rng, sex)
    while name in taken:
        name = rng.choice(languages).name(rng, sex)
    taken.add(name)
    return name


def _with_ratings(rng: Random, record: ListRecord, strength: int, *, year: int, is_known: bool) -> ListRecord:
    """Give a player ratings near their strength, in each kind for most; who is inactive has the flag."""
    ratings = [_rating(rng, strength, record, year) for _ in ("standard", "rapid", "blitz")]
    chances = (78, 82, 66)
    standard, rapid, blitz = (
        rating if is_known or rng.randrange(100) < chance else None
        for rating, chance in zip(ratings, chances, strict=True)
    )
    is_inactive = not is_known and rng.randrange(9) == 0
    flag = ("w" if record.sex == "F" else "") + ("i" if is_inactive else "")
    return record._replace(flag=flag, standard=standard, rapid=rapid, blitz=blitz)


def _rating(rng: Random, strength: int, record: ListRecord, year: int) -> Rating | None:
    rating = strength + rng.randint(-70, 70)
    if rating < LOWEST:
        return None
    is_junior = year - (record.birth_year or 0) <= 18
    is_new = rng.randrange(10) == 0
    k = 10 if rating >= 2400 else 40 if (is_junior or is_new) and rating < 2300 else 20
    return Rating(rating, rng.choice((0, 0, 5, 7, 9, 11, 14)), k)
