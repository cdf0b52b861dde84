"""What an import read and wrote, and from which file, as it is shown and kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import date
from typing import Any

from players.fide_list import LineProblem, Repair
from ratings.choices import ImportStep

MAX_EXAMPLES = 3
# Is told what is done now, and how many of the file's bytes have been read.
ReportProgress = Callable[[ImportStep, int, int], None]


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """The imported file: its name, and the SHA-256 and number of its bytes.

    `forced` is why signs in it that contradict date or kind were overridden (D-72), `adopted` why staff put FIDE's
    list in the place of the portal's own (D-73); empty where neither was needed.
    """

    name: str
    sha256: str
    size: int
    forced: str = ""
    adopted: str = ""

    @property
    def reasons(self) -> dict[str, str]:
        """The reasons that were given, by what they are for."""
        given = {"forced": self.forced, "adopted": self.adopted}
        return {name: reason for name, reason in given.items() if reason}


@dataclass(frozen=True, slots=True)
class ImportedList:
    """A list of the file; `is_new` says that this call wrote it.

    `differing` are those who have another rating than on the list before, None where that is not known.
    """

    kind: str
    listed: int
    is_new: bool
    differing: int | None = None


@dataclass(frozen=True, slots=True)
class PersonChange:
    """A player of whom a list says something else: by field of the player the value here and the one of the list."""

    fide_id: int
    name: str
    fields: tuple[tuple[str, Any, Any], ...]


@dataclass(slots=True)
class Repairs:
    """The records of a list whose field of this name was read as far as it can be (D-119): how many, the first few."""

    name: str
    count: int = 0
    examples: list[Repair] = field(default_factory=list)

    def add(self, repair: Repair) -> None:
        """Count a repair, and keep it as an example of a text that has none yet."""
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES and repair.text not in {one.text for one in self.examples}:
            self.examples.append(repair)

    def summary(self) -> dict[str, Any]:
        """Return field, count and examples as JSON values."""
        examples = [{"line": one.line, "text": one.text, "read": one.read} for one in self.examples]
        return {"field": self.name, "count": self.count, "examples": examples}


@dataclass(frozen=True, slots=True)
class Import:
    """What was read and written; the first problems are kept, all are counted; `repairs` are by field.

    `compared` are FIDE's lists of kinds that the portal publishes, kept for comparison (D-73), `corrected` the kinds of
    lists in use that the file corrects (D-125). `changes` are the first of the changed players, `kept` the first of
    those of whom something else was decided here (D-136). `waiting` are the reports, by event ID and name, that an
    adopted list may contain, `contained` those that it does.
    """

    on: date
    read: int
    created: int
    changed: int
    lists: tuple[ImportedList, ...]
    problems: tuple[LineProblem, ...]
    problem_count: int
    notices: tuple[str, ...]
    compared: tuple[ImportedList, ...] = ()
    changes: tuple[PersonChange, ...] = ()
    kept: tuple[PersonChange, ...] = ()
    kept_count: int = 0
    repairs: tuple[Repairs, ...] = ()
    corrected: tuple[str, ...] = ()
    waiting: tuple[tuple[str, str], ...] = ()
    contained: tuple[str, ...] = ()

    def summary(self) -> dict[str, Any]:
        """Return counts, lists, problems and notices as JSON values."""
        return {
            "date": self.on.isoformat(),
            "players": {"read": self.read, "created": self.created, "changed": self.changed},
            "kept": [asdict(item) for item in self.kept],
            "kept_count": self.kept_count,
            "lists": [
                {"kind": item.kind, "listed": item.listed, "created": item.is_new}
                | ({} if item.differing is None else {"differing": item.differing})
                for item in self.lists
            ],
            "problems": [
                {"line": problem.line, "column": problem.column, "message": problem.message}
                for problem in self.problems
            ],
            "problem_count": self.problem_count,
            "repairs": [item.summary() for item in self.repairs],
            "compared": [{"kind": item.kind, "listed": item.listed} for item in self.compared],
            "notices": list(self.notices),
            "waiting": [{"event_id": key, "name": name} for key, name in self.waiting],
            "contained": list(self.contained),
        }

    @property
    def is_known(self) -> bool:
        """Whether the file was imported before, so that nothing was written."""
        return not self.corrected and not any(item.is_new for item in (*self.lists, *self.compared))
