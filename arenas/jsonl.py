"""Files of one JSON object a line: what can be read is read, and every other line is reported by its number."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from arenas.entries import EntryError, refuse_repeats

Entry = TypeVar("Entry")
LONGEST_LINE = 100_000


@dataclass(frozen=True, slots=True)
class LineFault:
    """Why a line, counted from 1, was not taken."""

    line: int
    reasons: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the fault as plain JSON values."""
        return {"line": self.line, "reasons": list(self.reasons)}

    def __str__(self) -> str:
        return f"line {self.line}: {'; '.join(self.reasons)}"


@dataclass(frozen=True, slots=True)
class Lines(Generic[Entry]):
    """The entries of a file, the line of each, and the lines that could not be read."""

    entries: list[Entry]
    numbers: list[int]
    faults: list[LineFault]


def read_lines(path: Path, read: Callable[[Any], Entry]) -> Lines[Entry]:
    """Return what stands in a file; empty lines are passed over. Raises OSError where it cannot be opened."""
    lines: Lines[Entry] = Lines([], [], [])
    with path.open("rb") as source:
        for number, content in enumerate(source, start=1):
            text = content.removeprefix(b"\xef\xbb\xbf") if number == 1 else content
            if text.strip():
                _read_line(lines, number, text, read)
    return lines


def _read_line(lines: Lines[Entry], number: int, content: bytes, read: Callable[[Any], Entry]) -> None:
    try:
        entry = read(_parsed(content))
    except EntryError as error:
        lines.faults.append(LineFault(number, error.reasons))
        return
    lines.entries.append(entry)
    lines.numbers.append(number)


def _parsed(content: bytes) -> Any:
    if len(content) > LONGEST_LINE:
        raise EntryError([f"is longer than {LONGEST_LINE} bytes"])
    try:
        return json.loads(content.decode(), object_pairs_hook=refuse_repeats)
    except UnicodeDecodeError as error:
        raise EntryError(["is not UTF-8"]) from error
    except (ValueError, RecursionError) as error:
        raise EntryError([f"is not JSON: {error}"]) from error
