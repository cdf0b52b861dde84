"""What FIDE's rating lists consist of, as plain values, and how the readers report what they skipped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol

KINDS: Final = ("standard", "rapid", "blitz")

Sex = Literal["M", "F", ""]


class FideListError(Exception):
    """The file as a whole cannot be read as a rating list; the text says why and what to do."""


class ByteSource(Protocol):
    """A binary stream: anything with `read`, such as an open file or what `open_list` gives."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One kind's figures of a player on a list; `k` is None where the list does not say."""

    rating: int
    games: int
    k: int | None


class ListRecord(NamedTuple):
    """One player of a list; a kind in which the player has no rating is None.

    A named tuple, as it is made 1.9 million times a list and a frozen dataclass takes three times as long.
    `title` is FIDE's Tit column, which repeats a women's title where there is no open one. `flag` is '', 'i',
    'w' or 'wi'; a combined list has one flag for its three kinds.
    """

    fide_id: int
    name: str
    federation: str
    sex: Sex
    title: str
    women_title: str
    other_titles: str
    foa_title: str
    birth_year: int | None
    flag: str
    standard: Rating | None
    rapid: Rating | None
    blitz: Rating | None

    @property
    def is_inactive(self) -> bool:
        """Return whether the flag says inactive (6.2.2)."""
        return "i" in self.flag


@dataclass(frozen=True, slots=True)
class LineProblem:
    """Why one record was skipped: line from 1, column from 1 or None, and the beginning of its text."""

    line: int
    column: int | None
    message: str
    text: str


class ExportRow(NamedTuple):
    """One player of a single list as it is written; `sex` is M, F or ''."""

    fide_id: int
    name: str
    federation: str
    title: str
    women_title: str
    other_titles: str
    foa_title: str
    sex: str
    birth_year: int | None
    rating: int
    games: int
    k: int | None
    inactive: bool


class FieldError(ValueError):
    """A field of one record that cannot be right; `field` is its name in `ListRecord` or `Rating`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


MAX_TEXT: Final = 200


def problem(line: int, message: str, text: str, *, column: int | None = None) -> LineProblem:
    """Return the problem of a record with the beginning of its text, fit to be shown."""
    shown = text.strip("\r\n")[:MAX_TEXT]
    return LineProblem(line, column, message, "".join(c if c.isprintable() else "\ufffd" for c in shown))


def known(fide_id: int) -> str:
    """Return the message for a record whose ID number stood in the file before."""
    return f"The ID number {fide_id} appears more than once. The first record is used."


_PAGE_BITS: Final = 12
_PAGE_BYTES: Final = (1 << _PAGE_BITS) // 8


class SeenNumbers:
    """Remembers numbers, one bit each, in pages of 4,096: ID numbers lie in blocks, one a federation."""

    __slots__ = ("_pages",)

    def __init__(self) -> None:
        self._pages: dict[int, bytearray] = {}

    def add(self, number: int) -> bool:
        """Remember the number; return whether it is new."""
        page = self._pages.get(number >> _PAGE_BITS)
        if page is None:
            page = self._pages[number >> _PAGE_BITS] = bytearray(_PAGE_BYTES)
        place, bit = (number >> 3) % _PAGE_BYTES, 1 << (number & 7)
        if page[place] & bit:
            return False
        page[place] |= bit
        return True
