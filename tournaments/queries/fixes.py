"""What of a report can be put right at once: lines that findings are certain of, and players who are found by name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.trf import Report as ReadReport


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line as it is and as it is to be, and why."""

    line: int
    old: str
    new: str
    why: str


@dataclass(frozen=True, slots=True)
class Chosen:
    """The fixes that somebody chose; `left` counts those that want a line which another one changes already."""

    lines: Sequence[ChangedLine]
    left: int = 0

    @property
    def by_number(self) -> dict[int, str]:
        return {item.line: item.new for item in self.lines}


def fixable(findings: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the findings whose fix is certain."""
    return [finding for finding in findings if finding["fix"] is not None and finding["line"]]


def chosen_fixes(
    read: ReadReport,
    findings: Sequence[Mapping[str, Any]],
    *,
    numbers: Collection[int] | None,
    people: Sequence[ChangedLine] = (),
) -> Chosen:
    """Return the fixes of findings by their numbers (None: all that are certain) and of chosen players."""
    wanted = [finding for finding in fixable(findings) if numbers is None or finding["number"] in numbers]
    changes = [*people, *_of_findings(read, wanted)]
    first = {item.line: item for item in reversed(changes)}
    kept = [first[line] for line in sorted(first)]
    return Chosen([item for item in kept if item.old != item.new], left=len(changes) - len(kept))


def _of_findings(read: ReadReport, findings: Sequence[Mapping[str, Any]]) -> Iterator[ChangedLine]:
    for finding in findings:
        if finding["line"] <= len(read.lines):
            old = read.lines[finding["line"] - 1]
            yield ChangedLine(finding["line"], old, str(finding["fix"]), str(finding["message"]))
