"""Reader of FIDE's XML lists: one `player` element after another.

The file is cut after each `</player>` and every player is read for itself: nothing that is wrong with one
can lose another. A player written as FIDE writes it is read by one pattern, any other by the XML parser.
What reaches the parser begins with `<player`, so no document type and no entity can be declared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

from players.fide_list import values
from players.fide_list.streams import MAX_PIECE, blocks, decoded
from players.fide_list.values import (
    KINDS,
    ByteSource,
    FieldError,
    LineProblem,
    ListRecord,
    SeenNumbers,
    known,
    problem,
)

_SEPARATOR: Final = b"</player>"
_PERSON: Final = ("fideid", "name", "country", "sex", "title", "w_title", "o_title", "foa_title")
_YEAR: Final = ("birthday", "flag")
_FIRST_KIND: Final = ("rating", "games", "k")
_OTHER_KINDS: Final = ("rapid_rating", "rapid_games", "rapid_k", "blitz_rating", "blitz_games", "blitz_k")
_ROOT_END: Final = re.compile(r"\s*</playerslist\s*>\s*")


def read_xml(
    head: bytes, source: ByteSource, *, first_line: int, is_combined: bool, kind: str
) -> Iterator[ListRecord | LineProblem]:
    """Yield the records of an XML list from behind the start of its root element on.

    `first_line` is the line on which `head` begins, `kind` that of a single list.
    """
    parser = _PlayerParser(is_combined=is_combined, kind=kind)
    seen = SeenNumbers()
    line, rest = first_line, ""
    for block in blocks(head, source, separator=_SEPARATOR):
        *players, rest = decoded(block, separator=_SEPARATOR)
        for text in players:
            start = max(text.rfind("<player"), 0)
            if start and not text[:start].isspace():
                yield _located("This is not a complete player element.", text[:start], line)
            try:
                record = parser.record(text, start)
            except FieldError as error:
                yield _located(str(error), text, line, start=start)
            else:
                is_new = seen.add(record.fide_id)
                yield record if is_new else _located(known(record.fide_id), text, line, start=start)
            line += text.count("\n")
    if not _ROOT_END.fullmatch(rest):
        yield _located("The file ends before </playerslist>. It may be incomplete.", rest, line)


class _PlayerParser:
    __slots__ = ("_elements", "_pattern", "_position")

    def __init__(self, *, is_combined: bool, kind: str) -> None:
        self._position = None if is_combined else KINDS.index(kind)
        self._elements = _PERSON + _FIRST_KIND + (_OTHER_KINDS if is_combined else ()) + _YEAR
        self._pattern = _pattern(self._elements)

    def record(self, text: str, start: int) -> ListRecord:
        """Return the player whose element begins at `start` and lacks only its end; raises FieldError."""
        match = self._pattern.fullmatch(text, start)
        texts = match.groups("") if match else _parsed(text[start:], self._elements)
        return ListRecord(
            values.fide_id(texts[0]),
            values.name(texts[1]),
            *_person(texts[2], texts[3], texts[4], texts[5]),
            *_honours(texts[6], texts[7]),
            *_year(texts[-2], texts[-1]),
            *self._figures(texts),
        )

    def _figures(self, texts: Sequence[str]) -> values.Figures:
        first = _rating(texts[8], texts[9], texts[10])
        if self._position is None:
            return (
                first,
                _rating(texts[11], texts[12], texts[13]),
                _rating(texts[14], texts[15], texts[16]),
            )
        return values.in_position(first, self._position)


_person = lru_cache(maxsize=1 << 14)(values.person)
_honours = lru_cache(maxsize=1 << 14)(values.honours)
_rating = lru_cache(maxsize=1 << 16)(values.rating)
_year = lru_cache(maxsize=1 << 11)(values.year)


def _pattern(elements: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of a player as FIDE writes it; the oldest lists have no `foa_title`."""
    parts = [rf"<{element}>([^<&]*)</{element}>\s*" for element in elements]
    place = elements.index("foa_title")
    parts[place] = f"(?:{parts[place]})?"
    return re.compile(r"<player>\s*" + "".join(parts))


def _parsed(text: str, elements: Sequence[str]) -> Sequence[str]:
    """Return the texts of the elements, '' for one that is not there."""
    if len(text) > MAX_PIECE:
        raise FieldError("record", f"The player element is longer than {MAX_PIECE} characters.")
    try:
        player = ElementTree.fromstring(text + "</player>")  # noqa: S314 - begins with <player, see above
    except (ElementTree.ParseError, UnicodeEncodeError) as error:
        raise FieldError("record", f"The player element is not well-formed XML ({error}).") from error
    texts = {child.tag: child.text or "" for child in player}
    return [texts.get(element, "") for element in elements]


def _located(message: str, text: str, line: int, *, start: int = 0) -> LineProblem:
    """Return the problem of what begins in `text` at `start`, blanks apart; `text` begins on `line`."""
    found = text[start:].lstrip()
    line += text.count("\n", 0, len(text) - len(found))
    return problem(line, message, " ".join(found[:2000].split()))
