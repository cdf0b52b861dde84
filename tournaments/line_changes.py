"""Lines of a report that change: by fixes, or from one version to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from core.html.reports import MarkedDifference, difference
from tournaments.trf.changed_lines import merged_line

SHOWN = 500
# Longer parts are compared line by line, without a search for moved lines.
MAX_COMPARED = 4_000


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line as it is and as it is to be, and why."""

    line: int
    old: str
    new: str
    why: str

    @property
    def difference(self) -> MarkedDifference:
        """Both lines with the columns marked that change."""
        return difference(self.old, self.new)


@dataclass(frozen=True, slots=True)
class ChosenChanges:
    """The changes that somebody chose, one a line.

    `left` counts those that want a column which another one changes already, `gone` those that do not fit any more.
    """

    lines: Sequence[ChangedLine]
    left: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class LineDifference:
    """A line of the former and of the later version, by number; None if one of them does not have the line."""

    former: int | None
    later: int | None
    change: MarkedDifference


@dataclass(frozen=True, slots=True)
class Differences:
    """The first differences of two versions, and how many there are in all."""

    lines: Sequence[LineDifference]
    count: int

    @property
    def left_out(self) -> int:
        return self.count - len(self.lines)


def merged_changes(changes: Iterable[ChangedLine]) -> ChosenChanges:
    """Return changes as one a line: those of different columns of a line are made together."""
    by_line: dict[int, list[ChangedLine]] = {}
    for change in changes:
        by_line.setdefault(change.line, []).append(change)
    lines, left = [], 0
    for line, some in sorted(by_line.items()):
        new, left_out = merged_line(some[0].old, [item.new for item in some])
        left += left_out
        lines.append(ChangedLine(line, some[0].old, new, " ".join(dict.fromkeys(item.why for item in some))))
    return ChosenChanges([item for item in lines if item.old != item.new], left=left)


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
    # A fix changes a line in its place: versions of equal length need no search.
    if len(former) == len(later) or len(former) + len(later) > MAX_COMPARED:
        yield 0, len(former), 0, len(later)
        return
    # By itself the matcher ignores lines that are frequent in a long text, as blank ones are.
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
