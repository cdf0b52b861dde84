"""What FIDE's rating lists consist of, as plain values."""

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
