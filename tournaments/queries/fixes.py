"""What of a report can be put right at once: lines that findings are certain of, and players who are found by name."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.html.reports import Difference, difference
from tournaments.queries.wording import said
from tournaments.trf import Report as ReadReport


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line as it is and as it is to be, and why. `is_certain`: a finding says so; else a person has to choose."""

    line: int
    old: str
    new: str
    why: str
    is_certain: bool = True

    @property
    def key(self) -> str:
        """What the change is called in addresses; it fits this line with this text alone."""
        digest = hashlib.sha256(f"{self.old}\n{self.new}".encode()).hexdigest()[:12]
        return f"{self.line}-{digest}"

    @property
    def difference(self) -> Difference:
        """Both lines with the columns marked that change."""
        return difference(self.old, self.new)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The changes that somebody chose, one a line.

    `left` counts those that want a line which another one changes already, `gone` those that do not fit any more.
    """

    lines: Sequence[ChangedLine]
    left: int = 0
    gone: int = 0


def certain_changes(read: ReadReport, findings: Sequence[Mapping[str, Any]]) -> Iterator[ChangedLine]:
    """Yield the lines that findings, as they are stored, know how to write."""
    for finding in findings:
        line, fix = finding["line"], finding["fix"]
        if fix is None or not line or line > len(read.lines):
            continue
        change = ChangedLine(line, read.lines[line - 1], str(fix), said(finding))
        if change.old != change.new:
            yield change


def number_of_certain(findings: Sequence[Mapping[str, Any]]) -> int:
    """Return how many lines findings, as they are stored, know how to write."""
    return len({finding["line"] for finding in findings if finding["fix"] is not None and finding["line"]})


def chosen_of(offered: Sequence[ChangedLine], keys: Collection[str] | None) -> Chosen:
    """Return the changes of some keys (None: all that are certain), the first of several for a line."""
    by_key = {change.key: change for change in reversed(offered)}
    if keys is None:
        wanted = [by_key[key] for key in dict.fromkeys(item.key for item in offered if item.is_certain)]
    else:
        wanted = [by_key[key] for key in dict.fromkeys(keys) if key in by_key]
    first = {change.line: change for change in reversed(wanted)}
    gone = len(set(keys or ())) - len(wanted) if keys is not None else 0
    return Chosen([first[line] for line in sorted(first)], left=len(wanted) - len(first), gone=gone)
