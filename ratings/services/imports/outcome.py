"""What an import did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from players.fide_list import LineProblem

# Is told what is done now, and how many of the file's bytes have been read.
ReportProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class ImportedList:
    """A list of the file; `is_new` says that this call wrote it."""

    kind: str
    listed: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class Import:
    """What was read and written; the first problems are kept, all are counted."""

    on: date
    read: int
    created: int
    changed: int
    lists: tuple[ImportedList, ...]
    problems: tuple[LineProblem, ...]
    problem_count: int
    notices: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether the file was imported before, so that nothing was written."""
        return not any(item.is_new for item in self.lists)
