"""In which lines two versions of a report differ, in time that is bounded whatever the versions are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from core.html.reports import Difference, difference

SHOWN = 500
# Longer stretches are held against each other line by line, without a search for lines that moved.
MOST_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A line of the former and of the later version, by number; None where one has no such line."""

    former: int | None
    later: int | None
    change: Difference


@dataclass(frozen=True, slots=True)
class Differences:
    """The first differences of two versions, and how many there are in all."""

    lines: Sequence[LineDifference]
    count: int

    @property
    def left_out(self) -> int:
        return self.count - len(self.lines)


def differences_of(former: Sequence[str], later: Sequence[str]) -> Differences:
    """Return the lines that differ between two versions, in order."""
    pairs = list(_pairs(former, later))
    lines = [_line(former, later, first, second) for first, second in pairs[:SHOWN]]
    return Differences(lines, len(pairs))


def _pairs(former: Sequence[str], later: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    for first, last, start, end in _stretches(former, later):
        for old, new in zip_longest(range(first, last), range(start, end)):
            if old is None or new is None or former[old] != later[new]:
                yield old, new


def _stretches(former: Sequence[str], later: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    if len(former) == len(later) or len(former) + len(later) > MOST_COMPARED:
        yield 0, len(former), 0, len(later)
        return
    matcher = SequenceMatcher(None, former, later, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag != "equal":
            yield first, last, start, end


def _line(
    former: Sequence[str], later: Sequence[str], first: int | None, second: int | None
) -> LineDifference:
    old = former[first] if first is not None else ""
    new = later[second] if second is not None else ""
    numbers = [None if place is None else place + 1 for place in (first, second)]
    return LineDifference(numbers[0], numbers[1], difference(old, new))
