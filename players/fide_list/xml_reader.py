"""The reader of FIDE's XML lists: one `player` element after another.

The file is cut after each `</player>` and every player is read for itself, so that nothing that is wrong with one can
lose another. A player written as FIDE writes it is read by one pattern, any other by the XML parser. What reaches the
parser begins with `<player`, so no document type and no entity can be declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

from players.fide_list import fields
from players.fide_list.fields import ListFieldError, Texts
from players.fide_list.messages import Message
from players.fide_list.pieces import MAX_PIECE, SeenNumbers, blocks, decode_pieces
from players.fide_list.values import (
    KINDS,
    ByteSource,
    LineProblem,
    ListItem,
    ListRecord,
    Repair,
    problem,
)

_SEPARATOR: Final = b"</player>"
_PERSON: Final = ("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title")
_YEAR: Final = ("birthday", "flag")
_FIRST_KIND: Final = ("rating", "games", "k")
_OTHER_KINDS: Final = ("rapid_rating", "rapid_games", "rapid_k", "blitz_rating", "blitz_games", "blitz_k")
# Of somebody who is unrated they are empty: without them a part of the file is lost (D-137).
_NEVER_ABSENT: Final = frozenset({"name", "rating", "rapid_rating", "blitz_rating"})
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
            # From the last start on: a player that is not closed loses only itself.
            start = max(text.rfind("<player"), 0)
            if start and not text[:start].isspace() and _without_comments(text[:start]).strip():
                yield _locate(Message("element-cut"), text[:start], line)
            repairs: tuple[Repair, ...] = ()
            try:
                try:
                    record = parser.record(text, start)
                except ListFieldError:
                    record, repairs = parser.repair(text, start, line)
            except ListFieldError as error:
                yield _locate(error.message, text, line, start=start)
            else:
                if seen.add(record.fide_id):
                    yield from repairs
                    yield record
                else:
                    again = Message("again", fide_id=record.fide_id)
                    yield _locate(again, text, line, start=start, is_again=True)
            line += text.count("\n")
    if not _ROOT_END.fullmatch(_without_comments(rest)):
        yield _locate(Message("end-missing"), rest, line, is_end=True)


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
        raise ListFieldError("record", "element-long", number=MAX_PIECE)
    try:
        player = ElementTree.fromstring(text + "</player>")  # noqa: S314 - begins with <player, see above
    # Bytes that nobody could decode are lone surrogates by now, which the parser cannot take.
    except (ElementTree.ParseError, UnicodeEncodeError) as error:
        raise ListFieldError("record", "element-malformed", error=str(error)) from error
    texts = {child.tag: child.text or "" for child in player}
    if not texts.keys() >= _NEVER_ABSENT.intersection(elements):
        raise ListFieldError("record", "element-cut")
    return [texts.get(element, "") for element in elements]


def _locate(
    message: str, text: str, line: int, *, start: int = 0, is_again: bool = False, is_end: bool = False
) -> LineProblem:
    """Return the problem of what begins in `text` at `start`, blanks apart; `text` begins on `line`."""
    found = text[start:].lstrip()
    line += text.count("\n", 0, len(text) - len(found))
    return problem(line, message, " ".join(found[:2000].split()), is_again=is_again, is_end=is_end)
