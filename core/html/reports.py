"""A report as it is shown: its lines with numbers, marks in the margin and the marked columns underlined."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
class TextRun:
    """A run of characters of a line; `severity` is empty where nothing is marked."""

    text: str
    severity: str = ""
    is_left_out: bool = False


@dataclass(frozen=True, slots=True)
class MarkedDifference:
    """A line as it is and as it should be; what changes is a piece of severity `changed`.

    `fields` are those that change, each with its name, old and new text.
    """

    old: Sequence[TextRun]
    new: Sequence[TextRun]
    fields: Sequence[tuple[str, str, str]] = ()


@dataclass(frozen=True, slots=True)
class MarkedLine:
    """A line of a report with its marks; `number_of_finding` is the first issue on it (0: none).

    `head` is the part before the `pieces` that stays in sight, empty for a line without columns.
    """

    number: int
    pieces: Sequence[TextRun]
    severity: str = ""
    number_of_finding: int = 0
    head: Sequence[TextRun] = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of lines that begin with a tag: up to column `head` they stay in sight.

    The `fields`, each from its first to its last column, are left out where no line has a mark in them.
    """

    tags: tuple[str, ...]
    head: int
    fields: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines that are left out, the first and the last of them by number."""

    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1


# So many lines around a marked one are shown, and a report of few lines entirely.
CONTEXT, FEW_LINES = 2, 400


def excerpt(lines: Sequence[MarkedLine]) -> list[MarkedLine | Gap]:
    """Return the lines with marks and some lines around each, with gaps between; a short report entirely."""
    if len(lines) <= FEW_LINES:
        return list(lines)
    kept: set[int] = set()
    for line in lines:
        if line.severity:
            kept.update(range(line.number - CONTEXT, line.number + CONTEXT + 1))
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


def marked_lines(text: str, marks: Iterable[LineMark], columns: Columns | None = None) -> list[MarkedLine]:
    """Return the lines of a report with their marks; line ends may be CR, LF or CRLF."""
    by_line: dict[int, list[LineMark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    # Not `splitlines`, for which a form feed ends a line, too: lines would not have the numbers of the checks.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    cut = {number: line for number, line in enumerate(lines, 1) if columns and line.startswith(columns.tags)}
    left_out = _left_out(cut, by_line, columns) if columns else []
    for number, some in by_line.items():
        some[:] = [_from_text_on(mark, line) for mark in some for line in lines[number - 1 : number]]
    return [
        _mark_line(number, line, by_line.get(number, []), columns if number in cut else None, left_out)
        for number, line in enumerate(lines, 1)
    ]


def _from_text_on(mark: LineMark, line: str) -> LineMark:
    """Return a mark without the blanks before its text: those of a record are no part of what is wrong."""
    start = (mark.column or 1) - 1
    text = line[start : start + mark.length]
    blanks = len(text) - len(text.lstrip()) if text.strip() else 0
    return replace(mark, column=mark.column and mark.column + blanks, length=mark.length - blanks)


def _left_out(
    lines: Mapping[int, str], marks: Mapping[int, Sequence[LineMark]], columns: Columns
) -> list[tuple[int, int]]:
    """Return the stretches, from a position to before another, that lines leave out: the same ones in all lines."""
    spans = [span for number in lines for span in _spans(marks.get(number, ()))]
    left_out: list[tuple[int, int]] = []
    for first, last in columns.fields:
        start, stop = first - 1, last
        if any(begin < stop and start < end for begin, end, _ in spans):
            continue
        if left_out and left_out[-1][1] == start:
            start = left_out.pop()[0]
        left_out.append((start, stop))
    return left_out


def difference(old: str, new: str) -> MarkedDifference:
    """Return both lines with the stretch that differs marked: all between the common beginning and the common end."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return MarkedDifference(_around(old, start, end), _around(new, start, end))


def _common(first: str, second: str) -> int:
    """Return how many characters both begin with."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(line: str, start: int, end: int) -> list[TextRun]:
    stop = len(line) - end
    pieces = [TextRun(line[:start]), TextRun(line[start:stop], "changed"), TextRun(line[stop:])]
    return [piece for piece in pieces if piece.text]


def _mark_line(
    number: int,
    line: str,
    marks: list[LineMark],
    columns: Columns | None,
    left_out: Sequence[tuple[int, int]],
) -> MarkedLine:
    head: list[TextRun] = []
    if columns is None:
        pieces = list(_pieces(line, marks))
    else:
        # A short line has a head as wide as the others. Blanks at its end are not part of the name.
        left_out = [*left_out, (len(line[: columns.head].rstrip()), columns.head)]
        rest: list[TextRun] = []
        place = 0
        for piece in _pieces(line.ljust(columns.head), marks, {end for span in left_out for end in span}):
            is_left_out = not piece.severity and any(start <= place < stop for start, stop in left_out)
            (head if place < columns.head else rest).append(replace(piece, is_left_out=is_left_out))
            place += len(piece.text)
        pieces = rest
    if not marks:
        return MarkedLine(number, pieces, head=tuple(head))
    worst = min(marks, key=_rank)
    return MarkedLine(number, pieces, worst.severity, worst.number, tuple(head))


def _spans(marks: Iterable[LineMark]) -> list[tuple[int, int, LineMark]]:
    """Return where marks begin and end in their line, as positions from 0, without marks of a whole line."""
    return [(mark.column - 1, mark.column - 1 + max(mark.length, 1), mark) for mark in marks if mark.column]


def _pieces(line: str, marks: list[LineMark], more: Iterable[int] = ()) -> Iterator[TextRun]:
    """Cut the line where a mark begins or ends and at `more` positions; where marks overlap the gravest counts."""
    spans = _spans(marks)
    width = max([len(line), *(end for _, end, _ in spans)])
    cuts = sorted({0, width, *(cut for start, end, _ in spans for cut in (start, end)), *more})
    padded = line.ljust(width)
    for start, end in pairwise(cut for cut in cuts if cut <= width):
        covering = [mark for first, last, mark in spans if first <= start and end <= last]
        yield TextRun(padded[start:end], min(covering, key=_rank).severity if covering else "")
    if not width:
        yield TextRun("")


def _rank(mark: LineMark) -> tuple[int, int]:
    grade = SEVERITY_ORDER.index(mark.severity) if mark.severity in SEVERITY_ORDER else len(SEVERITY_ORDER)
    return grade, mark.number
