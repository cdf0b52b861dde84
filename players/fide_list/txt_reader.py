"""The reader of FIDE's TXT lists: fixed columns, one player a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from players.fide_list import fields
from players.fide_list.fields import ListFieldError, Texts
from players.fide_list.messages import Message, unreadable
from players.fide_list.pieces import SeenNumbers, blocks, decode_pieces
from players.fide_list.values import (
    KINDS,
    ByteSource,
    ListedRating,
    ListItem,
    ListRecord,
    Repair,
    Sex,
    problem,
)

_MONTH: Final = re.compile(r"[A-Za-z]{3}\d\d ")
_TITLES_END: Final = 109
_NAME_END: Final = 76
# A line has the federation at least; what follows may be blank and cut off.
_SHORTEST: Final = 79
_YEAR_WIDTH: Final = 4
_FIXED_COLUMNS: Final = {
    "fide_id": 1,
    "name": 16,
    "federation": 77,
    "sex": 81,
    "title": 85,
    "women_title": 90,
    "other_titles": 95,
    "foa_title": 110,
}
_MAX_OVERFLOW: Final = 20
# A K has two digits, and a blank after it.
_FIGURES_END: Final = 12
_RATING_OFFSETS: Final = {"rating": 0, "games": 6, "k": 10}


@dataclass(frozen=True, slots=True)
class TextLayout:
    """The 0-based start columns of the fields: with or without the FOA column, three kinds or one."""

    has_foa: bool
    is_combined: bool

    @property
    def ratings(self) -> tuple[int, ...]:
        start = 113 if self.has_foa else _TITLES_END
        return (start, start + 13, start + 26) if self.is_combined else (start,)

    @property
    def birth(self) -> int:
        return self.ratings[-1] + 13

    @property
    def width(self) -> int:
        return self.birth + 10


def layout_of(heading: str) -> TextLayout:
    """Return the layout that the file's first line names (those since 2013).

    Raises FideListError where the columns are others.
    """
    for has_foa in (True, False):
        start = 113 if has_foa else _TITLES_END
        if (heading[_TITLES_END:113] == "FOA ") is not has_foa:
            continue
        if heading.startswith("SRtng", start):
            return TextLayout(has_foa, is_combined=True)
        if _MONTH.match(heading, start):
            return TextLayout(has_foa, is_combined=False)
    raise unreadable("columns-unknown")


END_OF_TEXT = "\x1a"


def read_text(
    head: bytes, source: ByteSource, *, layout: TextLayout, kind: str, first_line: int = 1
) -> Iterator[ListItem]:
    """Yield the records of a TXT list whose first line is its heading; `kind` is that of a single list.

    `first_line` is the number of the heading's line in the file.
    """
    parser = _LineParser(layout, kind=kind)
    seen = SeenNumbers()
    number = first_line - 1
    for block in blocks(head, source, separator=b"\n"):
        lines = decode_pieces(block.replace(b"\r\n", b"\n").removesuffix(b"\n"), separator=b"\n")
        last = 0 if block.endswith(b"\n") else number + len(lines)
        for line in lines:
            number += 1
            # DOS programs end a text with a special control character.
            if number == first_line or not line or line.isspace() or (number == last and line == END_OF_TEXT):
                continue
            # A file that was cut off may end within a figure, which would then be another one.
            if number == last and len(line) < layout.birth + _YEAR_WIDTH:
                yield problem(number, Message("line-cut"), line, is_end=True)
                continue
            repairs: tuple[Repair, ...] = ()
            try:
                try:
                    record = parser.record(line)
                except ListFieldError:
                    record, repairs = parser.repair(line, number)
            except ListFieldError as error:
                yield problem(number, error.message, line, column=parser.column(error, line))
                continue
            if not seen.add(record.fide_id):
                yield problem(number, Message("again", fide_id=record.fide_id), line, is_again=True)
                continue
            yield from repairs
            yield record


class _LineParser:
    __slots__ = ("_figures_width", "_position", "_ratings", "_titles_end", "_width")

    def __init__(self, layout: TextLayout, *, kind: str) -> None:
        self._figures_width = layout.birth - layout.ratings[0]
        self._ratings = layout.ratings
        self._titles_end = layout.ratings[0]
        self._width = layout.width
        self._position = None if layout.is_combined else KINDS.index(kind)

    def record(self, line: str) -> ListRecord:
        """Return the player of a line; raises FieldError."""
        end = self._titles_end
        if len(line) != self._width:
            line, end = self._fit_line(line)
        federation, sex, title, women_title, other, foa = _shared_columns(line[_NAME_END:end])
        birth_year, flag = _year(line[end + self._figures_width :])
        standard, rapid, blitz = self._figures(line, end)
        return ListRecord(
            fields.fide_id(line[:15]),
            fields.name(line[15:_NAME_END]),
            federation,
            sex,
            title,
            women_title,
            other,
            foa,
            birth_year,
            flag,
            standard,
            rapid,
            blitz,
        )

    def repair(self, line: str, number: int) -> tuple[ListRecord, tuple[Repair, ...]]:
        """Return the player of a line whose other fields are read as far as they can be (D-119); raises FieldError."""
        end = self._titles_end
        if len(line) != self._width:
            line, end = self._fit_line(line)
        other, foa = _split_honours(line[94:end])
        birth = end + self._figures_width
        figures = tuple(
            (line[start : start + 6], line[start + 6 : start + 10], line[start + 10 : start + 13])
            for start in range(end, birth, 13)
        )
        texts = Texts(
            line[:15],
            line[15:_NAME_END],
            line[76:80],
            line[80:84],
            line[84:89],
            line[89:94],
            other,
            foa,
            line[birth : birth + 6],
            line[birth + 6 :],
            figures,
        )
        return fields.read_as_far(texts, number, position=self._position)

    def column(self, error: ListFieldError, line: str) -> int | None:
        """Return the column, from 1, of the field that is wrong; None where the whole line is."""
        if error.field in _RATING_OFFSETS:
            start = next(start for start in self._ratings if not _is_rating(line[start : start + 13]))
            return start + 1 + _RATING_OFFSETS[error.field]
        birth = self._width - 10
        tail = {"birth_year": birth + 1, "flag": birth + 7}
        return tail.get(error.field) or _FIXED_COLUMNS.get(error.field)

    def _figures(self, line: str, start: int) -> fields.Figures:
        first = _rating(line[start : start + 13])
        position = self._position
        if position is None:
            return first, _rating(line[start + 13 : start + 26]), _rating(line[start + 26 : start + 39])
        return fields.in_position(first, position)

    def _fit_line(self, line: str) -> tuple[str, int]:
        """Return a line of another width and where its ratings start.

        Other titles that overflow their column push the rest to the right; a program that pads by bytes leaves the
        line of a name with accents short. A shorter line that ends in blanks was cut, and is not read.
        """
        excess = len(line) - self._width
        if excess < 0 and len(line.encode("utf-8", "surrogateescape")) == self._width:
            name_end = _NAME_END + excess
            return line[:name_end].ljust(_NAME_END) + line[name_end:], self._titles_end
        titles = line[94 : _TITLES_END + excess]
        if 0 < excess <= _MAX_OVERFLOW and "," in titles and " " not in titles:
            return line, self._titles_end + excess
        # Programs cut the blanks off at the end of lines, or add some.
        bare = line.rstrip()
        is_whole = excess > 0 or (bare == line and not self._ends_in_figures(bare))
        if _SHORTEST <= len(bare) <= self._width and is_whole:
            return bare.ljust(self._width), self._titles_end
        raise ListFieldError("line", "line-width", number=len(line), width=self._width)

    def _ends_in_figures(self, line: str) -> bool:
        """Return whether a line ends within a rating, its games or its K: no blanks were cut off there."""
        start = next((start for start in self._ratings if start < len(line) < start + _FIGURES_END), None)
        return (
            start is not None
            and _is_rating(line[start:].ljust(13))
            and _rating(line[start:].ljust(13)) is not None
        )


@lru_cache(maxsize=1 << 15)
def _shared_columns(slot: str) -> tuple[str, Sex, str, str, str, str]:
    """Return the columns from Fed to FOA, which many players share."""
    person = fields.person(slot[:4], slot[4:8], slot[8:13], slot[13:18])
    return (*person, *fields.honours(*_split_honours(slot[18:])))


def _split_honours(slot: str) -> tuple[str, str]:
    """Split the columns OTit and FOA: a full OTit may have run into FOA, whose titles are known."""
    if slot[14] == " ":
        return slot[:15], slot[15:]
    titles = slot.rstrip()
    if titles.endswith(fields.FOA_TITLES):
        return titles[:-3], titles[-3:]
    return titles, ""


@lru_cache(maxsize=1 << 16)
def _rating(slot: str) -> ListedRating | None:
    return fields.rating(slot[:6], slot[6:10], slot[10:])


@lru_cache(maxsize=1 << 11)
def _year(slot: str) -> tuple[int | None, str]:
    return fields.year(slot[:6], slot[6:])


def _is_rating(slot: str) -> bool:
    try:
        _rating(slot)
    except ListFieldError:
        return False
    return True
