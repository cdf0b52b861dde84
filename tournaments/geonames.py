"""Files of towns as GeoNames publishes them (cities500.txt).

The portal ships a part of such a file, `data/towns.txt.xz` (decision 29): `python -m tools.towns` makes it.
"""

from __future__ import annotations

import lzma
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from players.fide_list import LineProblem, ListStream, open_list
from players.spelling import WORD, fold, in_latin_letters

SHIPPED = Path(__file__).resolve().parent / "data" / "towns.txt.xz"
COLUMNS = 19
# GeoNames cuts the other names of a place at 10,000 characters.
MAX_LINE_BYTES = 2**16
PIECE_BYTES = 2**20
MAX_POPULATION = 10**8
# What an integer column of PostgreSQL holds.
MAX_ID = 2**31 - 1
MAX_REGION = 20
SHOWN_BYTES = 40
# Countries whose regions people write behind a name, as in `Paris, TX` and `Kirchberg SG`.
WITH_REGIONS = ("CH", "US")
# Blocks of Latin letters; names in other letters are found by their Latin forms.
LAST_LATIN = "\u024f"
ADDITIONAL = ("\u1e00", "\u1eff")


class TownRecord(NamedTuple):
    """A town as a file describes it. Degrees north and east; `spellings` as `spelling_of` writes them."""

    geonames_id: int
    name: str
    country: str
    region: str
    latitude: float
    longitude: float
    population: int
    spellings: frozenset[str]


@contextmanager
def open_towns(path: Path | None) -> Iterator[Iterator[TownRecord | LineProblem]]:
    """Open a file of towns, plain, .gz or .zip, or the shipped one; `FideListError` for a file that is damaged."""
    if path is None:
        with lzma.open(SHIPPED) as shipped:
            yield read_towns(shipped)
        return
    with open_list(path) as stream:
        yield read_towns(_lines(stream))


def read_towns(lines: Iterable[bytes]) -> Iterator[TownRecord | LineProblem]:
    """Yield the towns of the lines, and what is wrong with a line that is none; an empty line is left out."""
    seen: set[int] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            town = _town(line)
            if town.geonames_id in seen:
                raise ValueError(f"GeoNames ID {town.geonames_id} is in an earlier line, too")
        except ValueError as error:
            yield LineProblem(number, None, str(error), line[:SHOWN_BYTES].decode(errors="replace").strip())
            continue
        seen.add(town.geonames_id)
        yield town


def _town(line: bytes) -> TownRecord:
    """Return the town of a line; `ValueError` says what is wrong with it."""
    try:
        columns = line.decode().rstrip("\r\n").split("\t")
    except UnicodeDecodeError as error:
        raise ValueError("the line is not in UTF-8") from error
    if len(columns) != COLUMNS:
        raise ValueError(f"the line has {len(columns)} columns instead of {COLUMNS}")
    number, name, plain, others, latitude, longitude, _, _, country, _, region = columns[:11]
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise ValueError("the name is empty, too long or not printable")
    if len(country) != 2 or not (country.isascii() and country.isalpha() and country.isupper()):
        raise ValueError(f"{country[:SHOWN_BYTES]!r} is not a country code of two letters")
    if len(region) > MAX_REGION or not region.isprintable():
        raise ValueError("the region is too long or not printable")
    others_named = others.split(",") if others else ()
    return TownRecord(
        _whole(number, "GeoNames ID", least=1, most=MAX_ID),
        name,
        country,
        region,
        _degrees(latitude, "latitude", 90),
        _degrees(longitude, "longitude", 180),
        _whole(columns[14], "population", least=0, most=MAX_POPULATION),
        frozenset(_spellings(name, plain, region if country in WITH_REGIONS else "", others_named)),
    )


def _whole(text: str, label: str, *, least: int, most: int) -> int:
    # `int` reads the digits of every script, and refuses texts of thousands of digits with an error of its own.
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    if not is_number or not least <= int(text) <= most:
        raise ValueError(f"the {label} is not a whole number from {least} to {most}")
    return int(text)


def _degrees(text: str, label: str, most: int) -> float:
    try:
        degrees = float(text)
    except ValueError:
        degrees = math.nan
    # Also false for what is no number.
    if not -most <= degrees <= most:
        raise ValueError(f"the {label} is not a number from -{most} to {most}")
    return degrees


def _spellings(name: str, plain: str, region: str, others: Iterable[str]) -> Iterator[str]:
    for written in (name, plain, *filter(is_latin_name, others)):
        yield from filter(None, plain_spellings(written))
    if region:
        yield spelling_of(f"{name} {region}")


def is_latin_name(text: str) -> bool:
    """Return whether another name of a town is a name in Latin letters, no code of an airport or transcription."""
    is_code = len(text) == 3 and text.isupper()
    is_latin = all(one <= LAST_LATIN or ADDITIONAL[0] <= one <= ADDITIONAL[1] for one in text)
    return text[:1].isupper() and is_latin and not is_code and len(text) <= MAX_SPELLING


def _lines(stream: ListStream) -> Iterator[bytes]:
    """Yield the lines of a stream; one that is far too long is cut, so that it is read as bad lines."""
    begun = b""
    while piece := stream.read(PIECE_BYTES):
        *lines, begun = (begun + piece).split(b"\n")
        yield from lines
        if len(begun) > MAX_LINE_BYTES:
            yield begun
            begun = b""
    yield begun


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
