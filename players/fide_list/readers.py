"""Readers of FIDE's lists.

TXT has fixed columns, one player a line. XML has one `player` element after another: the file is cut after each
`</player>` and every player is read for itself, so that nothing that is wrong with one can lose another. A player
written as FIDE writes it is read by one pattern, any other by the XML parser. What reaches the parser begins with
`<player`, so no document type and no entity can be declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

from players.fide_list import fields
from players.fide_list.fields import ListFieldError, Texts
from players.fide_list.streams import MAX_PIECE, blocks, decode_pieces
from players.fide_list.values import (
    KINDS,
    ByteSource,
    FideListError,
    LineProblem,
    ListedRating,
    ListItem,
    ListRecord,
    Repair,
    SeenNumbers,
    Sex,
    message_of_repeat,
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
    raise FideListError(
        "The columns of this list are not those of FIDE lists since 2013. Download the combined, "
        "standard, rapid or blitz list again.",
        code="columns-unknown",
    )


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
            if number == last and len(line) < layout.birth + _YEAR_WIDTH:
                yield problem(number, "The file ends within this line. It may be incomplete.", line)
                continue
            repairs: tuple[Repair, ...] = ()
            try:
                try:
                    record = parser.record(line)
                except ListFieldError:
                    record, repairs = parser.repair(line, number)
            except ListFieldError as error:
                yield problem(number, str(error), line, column=parser.column(error, line))
                continue
            if not seen.add(record.fide_id):
                yield problem(number, message_of_repeat(record.fide_id), line, is_again=True)
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
        if _SHORTEST <= len(bare) <= self._width and (excess > 0 or bare == line):
            return bare.ljust(self._width), self._titles_end
        raise ListFieldError("line", f"The line has {len(line)} characters, not {self._width}.")


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
def _year(slot: str) -> fields.BirthYear:
    return fields.year(slot[:6], slot[6:])


def _is_rating(slot: str) -> bool:
    try:
        _rating(slot)
    except ListFieldError:
        return False
    return True


_SEPARATOR: Final = b"</player>"
_PERSON: Final = ("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title")
_YEAR: Final = ("birthday", "flag")
_FIRST_KIND: Final = ("rating", "games", "k")
_OTHER_KINDS: Final = ("rapid_rating", "rapid_games", "rapid_k", "blitz_rating", "blitz_games", "blitz_k")
_ROOT_END: Final = re.compile(r"\s*</playerslist\s*>\s*")


def read_xml(
    head: bytes, source: ByteSource, *, first_line: int, is_combined: bool, kind: str
) -> Iterator[ListItem]:
    """Yield the records of an XML list from behind the start of its root element on.

    `first_line` is the line on which `head` begins, `kind` that of a single list.
    """
    parser = _PlayerParser(is_combined=is_combined, kind=kind)
    seen = SeenNumbers()
    line, rest = first_line, ""
    for block in blocks(head, source, separator=_SEPARATOR):
        *players, rest = decode_pieces(block, separator=_SEPARATOR)
        for text in players:
            start = max(text.rfind("<player"), 0)
            if start and not text[:start].isspace() and _without_comments(text[:start]).strip():
                yield _locate("This is not a complete player element.", text[:start], line)
            repairs: tuple[Repair, ...] = ()
            try:
                try:
                    record = parser.record(text, start)
                except ListFieldError:
                    record, repairs = parser.repair(text, start, line)
            except ListFieldError as error:
                yield _locate(str(error), text, line, start=start)
            else:
                if seen.add(record.fide_id):
                    yield from repairs
                    yield record
                else:
                    yield _locate(message_of_repeat(record.fide_id), text, line, start=start, is_again=True)
            line += text.count("\n")
    if not _ROOT_END.fullmatch(_without_comments(rest)):
        yield _locate("The file ends before </playerslist>. It may be incomplete.", rest, line)


def _without_comments(text: str) -> str:
    """Return XML without its comments; a comment that does not end is kept. Linear, which no pattern is."""
    kept, at = [], 0
    while (start := text.find("<!--", at)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[at:start])
        at = end + 3
    return "".join((*kept, text[at:]))


class _PlayerParser:
    __slots__ = ("_elements", "_pattern", "_position")

    def __init__(self, *, is_combined: bool, kind: str) -> None:
        self._position = None if is_combined else KINDS.index(kind)
        self._elements = _PERSON + _FIRST_KIND + (_OTHER_KINDS if is_combined else ()) + _YEAR
        self._pattern = _pattern(self._elements)

    def record(self, text: str, start: int) -> ListRecord:
        """Return the player whose element begins at `start` and lacks only its end; raises FieldError."""
        texts = self._texts(text, start)
        return ListRecord(
            fields.fide_id(texts[0]),
            fields.name(texts[1]),
            *_person(texts[2], texts[3], texts[4], texts[5]),
            *_xml_honours(texts[6], texts[7]),
            *_xml_year(texts[-2], texts[-1]),
            *self._figures(texts),
        )

    def _texts(self, text: str, start: int) -> Sequence[str]:
        match = self._pattern.fullmatch(text, start)
        return match.groups("") if match else _parse_elements(text[start:], self._elements)

    def repair(self, text: str, start: int, line: int) -> tuple[ListRecord, tuple[Repair, ...]]:
        """Return the player whose other fields are read as far as they can be (D-119); raises FieldError."""
        found = self._texts(text, start)
        figures = tuple(
            (found[place], found[place + 1], found[place + 2]) for place in range(8, len(found) - 2, 3)
        )
        line += text.count("\n", 0, start)
        fide_id, name, federation, sex, title, women_title, other, foa = found[:8]
        texts = Texts(
            fide_id, name, federation, sex, title, women_title, other, foa, found[-2], found[-1], figures
        )
        return fields.read_as_far(texts, line, position=self._position)

    def _figures(self, texts: Sequence[str]) -> fields.Figures:
        first = _xml_rating(texts[8], texts[9], texts[10])
        if self._position is None:
            return (
                first,
                _xml_rating(texts[11], texts[12], texts[13]),
                _xml_rating(texts[14], texts[15], texts[16]),
            )
        return fields.in_position(first, self._position)


_person = lru_cache(maxsize=1 << 14)(fields.person)
_xml_honours = lru_cache(maxsize=1 << 14)(fields.honours)
_xml_rating = lru_cache(maxsize=1 << 16)(fields.rating)
_xml_year = lru_cache(maxsize=1 << 11)(fields.year)


def _pattern(elements: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a player as FIDE writes it; the oldest lists have no `foa_title`."""
    parts = [rf"<{element}>([^<&]*)</{element}>\s*" for element in elements]
    place = elements.index("foa_title")
    parts[place] = f"(?:{parts[place]})?"
    return re.compile(r"<player>\s*" + "".join(parts))


def _parse_elements(text: str, elements: Sequence[str]) -> Sequence[str]:
    """Return the texts of the elements, '' for one that is not there."""
    if len(text) > MAX_PIECE:
        raise ListFieldError("record", f"The player element is longer than {MAX_PIECE} characters.")
    try:
        player = ElementTree.fromstring(text + "</player>")  # noqa: S314 - begins with <player, see above
    except (ElementTree.ParseError, UnicodeEncodeError) as error:
        raise ListFieldError("record", f"The player element is not well-formed XML ({error}).") from error
    texts = {child.tag: child.text or "" for child in player}
    return [texts.get(element, "") for element in elements]


def _locate(message: str, text: str, line: int, *, start: int = 0, is_again: bool = False) -> LineProblem:
    """Return the problem of what begins in `text` at `start`, blanks apart; `text` begins on `line`."""
    found = text[start:].lstrip()
    line += text.count("\n", 0, len(text) - len(found))
    return problem(line, message, " ".join(found[:2000].split()), is_again=is_again)
