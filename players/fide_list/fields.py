"""The fields of a record from the texts in FIDE's files."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, cast

from players.fide_list.messages import Message
from players.fide_list.values import MAX_FIDE_ID, ListedRating, ListRecord, Repair, Sex, T


class ListFieldError(ValueError):
    """A field of one record that cannot be right; `field` is its name in `ListRecord` or `ListedRating`."""

    def __init__(self, field: str, code: str, **values: object) -> None:
        self.message = Message(code, **values)
        super().__init__(self.message)
        self.field = field


# As long as the columns of the players' table.
MAX_NAME: Final = 100
MAX_OTHER_TITLES: Final = 40
MAX_RATING: Final = 4000
# Earlier years are refused by a constraint of the players' table.
YEARS: Final = range(1850, 2101)
FOA_TITLES: Final = ("AGM", "AIM", "AFM", "ACM")
# The lists before 2013 and programs of that time write the titles so.
_OLD_TITLES: Final = {
    "G": "GM",
    "M": "IM",
    "F": "FM",
    "C": "CM",
    "WG": "WGM",
    "WM": "WIM",
    "WF": "WFM",
    "WC": "WCM",
}
_FLAGS: Final = ("", "i", "w", "wi")
Figures = tuple[ListedRating | None, ListedRating | None, ListedRating | None]


def fide_id(text: str) -> int:
    """Return the FIDE ID number: digits without a leading zero."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal()) or digits[0] == "0":
        raise ListFieldError("fide_id", "id-not-digits", text=repr(digits))
    # Eleven digits are above every number; `int` raises for thousands of them.
    number = int(digits[:11])
    if number > MAX_FIDE_ID:
        raise ListFieldError("fide_id", "id-too-large", text=repr(digits))
    return number


def name(text: str) -> str:
    """Return the name without blanks around it and control characters in it, accents composed; it may be blank."""
    stripped = text.strip()
    if not stripped.isascii():
        # A few letters are longer when composed, and stay as they are.
        stripped = min(unicodedata.normalize("NFC", stripped), stripped, key=len)
    if not stripped.isprintable():
        stripped = _readable(stripped)
    if len(stripped) > MAX_NAME:
        raise ListFieldError("name", "name-long", number=MAX_NAME)
    return stripped


def person(federation: str, sex: str, title: str, women_title: str) -> tuple[str, Sex, str, str]:
    """Return federation, sex and titles; titles as FIDE writes them today."""
    return (
        _federation(federation.strip()),
        _sex(sex.strip()),
        _title(title, field="title"),
        _title(women_title, field="women_title"),
    )


def honours(other_titles: str, foa_title: str) -> tuple[str, str]:
    """Return the arbiters', organisers' and trainers' titles, and that of FIDE Online Arena."""
    others = other_titles.strip()
    if len(others) > MAX_OTHER_TITLES or not (others.isascii() and others.isprintable()):
        raise ListFieldError("other_titles", "titles", text=repr(others[:60]))
    arena = foa_title.strip().upper()
    if arena and arena not in FOA_TITLES:
        raise ListFieldError("foa_title", "arena-title", text=repr(arena[:20]), titles=", ".join(FOA_TITLES))
    return others, arena


def rating(rating: str, games: str, k: str) -> ListedRating | None:
    """Return one kind's figures; None where the rating is blank, 0 or a dash."""
    figure = _number(rating if rating.strip(" -") else "", field="rating", highest=MAX_RATING)
    played = _number(games, field="games", highest=9999)
    factor = _number(k, field="k", highest=99)
    return ListedRating(figure, played, factor or None) if figure else None


def in_position(figures: ListedRating | None, position: int) -> Figures:
    """Return the figures of a single list among those of the three kinds (an index of KINDS)."""
    return (
        figures if position == 0 else None,
        figures if position == 1 else None,
        figures if position == 2 else None,
    )


def year(birth_year: str, flag: str) -> tuple[int | None, str]:
    """Return the year of birth, None where blank or 0, and the flag."""
    born = _number(birth_year, field="birth_year", highest=9999)
    if born and born not in YEARS:
        raise ListFieldError("birth_year", "birth-year", text=str(born))
    mark = flag.strip().lower()
    if mark not in _FLAGS:
        raise ListFieldError("flag", "flag", text=repr(mark[:20]))
    return born or None, mark


class Texts(NamedTuple):
    """The texts of a record's fields as a file has them; `figures` are rating, games and K of each of its kinds."""

    fide_id: str
    name: str
    federation: str
    sex: str
    title: str
    women_title: str
    other_titles: str
    foa_title: str
    birth_year: str
    flag: str
    figures: tuple[tuple[str, str, str], ...]


def read_as_far(texts: Texts, line: int, *, position: int | None) -> tuple[ListRecord, tuple[Repair, ...]]:
    """Return a record of which some fields cannot be right, and how each of those was read (D-119).

    FieldError where the ID number or a rating cannot be read: only these skip a record.
    """
    repairs: list[Repair] = []

    def read(field: str, text: str, strict: Callable[[str], T], lenient: Callable[[str], str]) -> T:
        try:
            return strict(text)
        except ListFieldError:
            readable = lenient(text)
            repairs.append(Repair(line, field, _printable(text.strip()), readable))
            # A federation is the one field that is never blank: without one it is not known.
            return strict(readable) if readable or field != "federation" else cast(T, "")

    figures = tuple(
        rating(
            figure,
            read("games", games, lambda text: _checked_number(text, "games", 9999), lambda _: ""),
            read("k", k, lambda text: _checked_number(text, "k", 99), lambda _: ""),
        )
        for figure, games, k in texts.figures
    )
    standard, rapid, blitz = figures if position is None else in_position(figures[0], position)
    record = ListRecord(
        fide_id(texts.fide_id),
        read("name", texts.name, name, _name_as_far),
        read("federation", texts.federation.strip(), _federation, _federation_as_far),
        read("sex", texts.sex.strip(), _sex, lambda text: _SEX_WORDS.get(text.lower(), "")),
        read("title", texts.title, lambda text: _title(text, field="title"), lambda _: ""),
        read("women_title", texts.women_title, lambda text: _title(text, field="women_title"), lambda _: ""),
        read("other_titles", texts.other_titles, lambda text: honours(text, "")[0], _honours_as_far),
        read("foa_title", texts.foa_title, lambda text: honours("", text)[1], lambda _: ""),
        read("birth_year", texts.birth_year, lambda text: year(text, "")[0], _year_as_far),
        read("flag", texts.flag, lambda text: year("", text)[1], _flag_as_far),
        standard,
        rapid,
        blitz,
    )
    return record, tuple(repairs)


_YEAR_IN_DATE: Final = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?=\D|\d{4}(?!\d)|$)", re.ASCII)
_SEX_WORDS: Final[Mapping[str, str]] = {"m": "M", "male": "M", "f": "F", "w": "F", "female": "F"}


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in text[:60])


def _checked_number(text: str, field: str, highest: int) -> str:
    return str(_number(text, field=field, highest=highest))


def _name_as_far(text: str) -> str:
    """Return a name without bytes of an unknown encoding, cut to its greatest length."""
    return "".join(c for c in text.strip() if unicodedata.category(c) != "Cs")[:MAX_NAME].strip()


def _federation_as_far(text: str) -> str:
    code = text.upper()
    return code if len(code) == 3 and code.isascii() and code.isalpha() else ""


def _honours_as_far(text: str) -> str:
    """Return the titles that fit, whole ones at most; none of a text that is no list of titles."""
    titles = text.strip()
    while len(titles) > MAX_OTHER_TITLES:
        titles = titles.rpartition(",")[0]
    return titles if titles.isascii() and titles.isprintable() else ""


def _year_as_far(text: str) -> str:
    """Return the year of a whole date of birth; nothing of a year in which nobody was born."""
    found = _YEAR_IN_DATE.search(text)
    return found[0] if found and int(found[0]) in YEARS else ""


def _flag_as_far(text: str) -> str:
    letters = set(text.strip().lower())
    return "".join(letter for letter in "wi" if letter in letters) if letters <= set("wi,/- ") else ""


def _readable(text: str) -> str:
    """Return a name without its control characters, as a few names on FIDE's lists have one.

    White space of any sort becomes a blank. Surrogates represent bytes in an unknown encoding.
    """
    spaced = "".join(" " if c.isspace() else c for c in text)
    categories = [(unicodedata.category(c), c) for c in spaced]
    if any(category == "Cs" for category, _ in categories):
        raise ListFieldError("name", "name-bytes")
    return "".join(c for category, c in categories if category != "Cc").strip()


def _federation(code: str) -> str:
    if len(code) != 3 or not (code.isascii() and code.isalpha() and code.isupper()):
        raise ListFieldError("federation", "federation-code", text=repr(code[:20]))
    return code


def _sex(code: str) -> Sex:
    if code not in ("M", "F", ""):
        raise ListFieldError("sex", "sex", text=repr(code[:20]))
    return cast(Sex, code)


def _title(text: str, *, field: str) -> str:
    code = text.strip().upper()
    code = _OLD_TITLES.get(code, code)
    if code and (not 2 <= len(code) <= 3 or not (code.isascii() and code.isalpha())):
        raise ListFieldError(field, "title", text=repr(code[:20]))
    return code


def _number(text: str, *, field: str, highest: int) -> int:
    digits = text.strip()
    if not digits:
        return 0
    if not (digits.isascii() and digits.isdecimal()) or len(digits) > 6:
        raise ListFieldError(field, "not-a-number", text=repr(digits[:20]))
    number = int(digits)
    if number > highest:
        raise ListFieldError(field, "number-too-large", number=number, limit=highest)
    return number
