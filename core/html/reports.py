"""A report as it is shown: its lines with numbers, marks in the margin and the marked columns underlined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

SEVERITY_ORDER = ("error", "warning", "notice")


@dataclass(frozen=True, slots=True)
class LineMark:
    """A place in a report. Lines and columns count from 1; column None marks the line as a whole."""

    line: int
    severity: str
    column: int | None = None
    length: int = 1
    number: int = 0


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters of a line; `severity` is empty where nothing is marked."""

    text: str
    severity: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """A line as it is and as it should be; what changes is a piece of severity `changed`."""

    old: Sequence[Piece]
    new: Sequence[Piece]


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line of a report with its marks; `number_of_finding` is the first issue on it (0: none)."""

    number: int
    pieces: Sequence[Piece]
    severity: str = ""
    number_of_finding: int = 0


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines that are left out, the first and the last of them by number."""

    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1


def excerpt(lines: Sequence[MarkedLine], *, context: int = 2, whole: int = 400) -> list[MarkedLine | Gap]:
    """Return the lines with marks and some lines around each, with gaps between; a report of `whole` lines entirely."""
    if len(lines) <= whole:
        return list(lines)
    kept: set[int] = set()
    for line in lines:
        if line.severity:
            kept.update(range(line.number - context, line.number + context + 1))
    shown: list[MarkedLine | Gap] = []
    left_from = 1
    for line in lines:
        if line.number in kept:
            if left_from < line.number:
                shown.append(Gap(left_from, line.number - 1))
            shown.append(line)
            left_from = line.number + 1
    if left_from <= len(lines):
        shown.append(Gap(left_from, len(lines)))
    return shown


def marked_lines(text: str, marks: Iterable[LineMark]) -> list[MarkedLine]:
    """Return the lines of a report with their marks; line ends may be CR, LF or CRLF."""
    by_line: dict[int, list[LineMark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return [_marked(number, line, by_line.get(number, [])) for number, line in enumerate(lines, 1)]


def difference(old: str, new: str) -> Difference:
    """Return both lines with the stretch that differs marked: all between the common beginning and the common end."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return Difference(_around(old, start, end), _around(new, start, end))


def _common(first: str, second: str) -> int:
    """Return how many characters both begin with."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(line: str, start: int, end: int) -> list[Piece]:
    stop = len(line) - end
    pieces = [Piece(line[:start]), Piece(line[start:stop], "changed"), Piece(line[stop:])]
    return [piece for piece in pieces if piece.text]


def _marked(number: int, line: str, marks: list[LineMark]) -> MarkedLine:
    if not marks:
        return MarkedLine(number, [Piece(line)])
    worst = min(marks, key=_rank)
    return MarkedLine(number, list(_pieces(line, marks)), worst.severity, worst.number)


def _pieces(line: str, marks: list[LineMark]) -> Iterator[Piece]:
    """Cut the line where a mark begins or ends; where marks overlap the gravest counts."""
    spans = [(mark.column - 1, mark.column - 1 + max(mark.length, 1), mark) for mark in marks if mark.column]
    width = max([len(line), *(end for _, end, _ in spans)])
    cuts = sorted({0, width, *(cut for start, end, _ in spans for cut in (start, end))})
    padded = line.ljust(width)
    for start, end in pairwise(cuts):
        covering = [mark for first, last, mark in spans if first <= start and end <= last]
        yield Piece(padded[start:end], min(covering, key=_rank).severity if covering else "")


def _rank(mark: LineMark) -> tuple[int, int]:
    grade = SEVERITY_ORDER.index(mark.severity) if mark.severity in SEVERITY_ORDER else len(SEVERITY_ORDER)
    return grade, mark.number
