"""The content of FIDE's rating lists as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, Protocol, TypeVar

KINDS: Final = ("standard", "rapid", "blitz")
Sex = Literal["M", "F", ""]
T = TypeVar("T")


class ByteSource(Protocol):
    """A binary stream: anything with `read`, such as an open file or what `open_list` gives."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes; none at the end."""


@dataclass(frozen=True, slots=True)
class ListedRating:
    """One kind's figures of a player on a list; `k` is None if the list does not show it."""

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
    standard: ListedRating | None
    rapid: ListedRating | None
    blitz: ListedRating | None

    @property
    def is_inactive(self) -> bool:
        """Return whether the flag says inactive (6.2.2)."""
        return "i" in self.flag


@dataclass(frozen=True, slots=True)
class LineProblem:
    """Why one record was skipped: line from 1, column from 1 or None, and the beginning of its text.

    `is_again` where the file has the player's record already, so that nobody is lost; `is_end` where the file ends
    within it, so that more may be missing (D-137).
    """

    line: int
    column: int | None
    message: str
    text: str
    is_again: bool = False
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """A field of a record that was read as far as it can be: its name, its text, and what was read, '' for nothing."""

    line: int
    field: str
    text: str
    read: str


# What a list gives: its records, why some were skipped, and which fields of others were read as far as they can be.
ListItem = ListRecord | LineProblem | Repair


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


# The fields of a row from which a line of CSV and JSON is made; the others are FIDE's alone.
FIGURES: Final = ExportRow._fields[ExportRow._fields.index("rating") :]
PUBLISHED_FIELDS: Final = ("fide_id", "name", "federation", "title", "sex", "birth_year", *FIGURES)
MAX_TEXT: Final = 200


def problem(
    line: int,
    message: str,
    text: str,
    *,
    column: int | None = None,
    is_again: bool = False,
    is_end: bool = False,
) -> LineProblem:
    """Return the problem of a record with the beginning of its text, fit to be shown."""
    shown = text.strip("\r\n")[:MAX_TEXT]
    printable = "".join(c if c.isprintable() else "\ufffd" for c in shown)
    return LineProblem(line, column, message, printable, is_again, is_end)


MAX_FIDE_ID: Final = 2**31 - 1
