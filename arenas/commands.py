"""What the commands of arenas share: the arena by its slug, and files of one JSON object a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from django.core.management.base import CommandParser

from arenas.entries import EntryError
from arenas.models import Arena
from core.commands import REFUSED, PortalCommand
from core.web.strict_json import decode_json

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
class JsonLines(Generic[Entry]):
    """The entries of a file, the line of each, and the lines that could not be read."""

    entries: list[Entry]
    numbers: list[int]
    faults: list[LineFault]


def read_lines(path: Path, read: Callable[[Any], Entry]) -> JsonLines[Entry]:
    """Return the rows of a file without empty lines. Raises OSError if it cannot be opened."""
    lines: JsonLines[Entry] = JsonLines([], [], [])
    with path.open("rb") as source:
        for number, content in enumerate(source, start=1):
            # Editors of Windows begin UTF-8 files with this mark, which JSON refuses.
            text = content.removeprefix(b"\xef\xbb\xbf") if number == 1 else content
            if text.strip():
                _read_line(lines, number, text, read)
    return lines


def _read_line(lines: JsonLines[Entry], number: int, content: bytes, read: Callable[[Any], Entry]) -> None:
    try:
        entry = read(_parse(content))
    except EntryError as error:
        lines.faults.append(LineFault(number, error.reasons))
        return
    lines.entries.append(entry)
    lines.numbers.append(number)


def _parse(content: bytes) -> Any:
    if len(content) > LONGEST_LINE:
        raise EntryError([f"is longer than {LONGEST_LINE} bytes"])
    try:
        return decode_json(content)
    except ValueError as error:
        raise EntryError([str(error)]) from error


MAX_PRINTED = 20


class ArenaCommand(PortalCommand):
    """A command whose first argument is the slug of an arena."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("arena", help="name of the arena, for example foa-rbb")

    def arena(self, options: dict[str, Any]) -> Arena:
        """Return the arena; refuses where there is none."""
        arena = Arena.objects.filter(slug=options["arena"]).first()
        if arena is None:
            known = ", ".join(Arena.objects.values_list("slug", flat=True))
            reason = f"unknown arena {options['arena']!r}. Known arenas: {known}"
            self.refuse({"arena": None, "reasons": [reason]}, [reason], options)
        return arena


class ImportCommand(ArenaCommand):
    """A command that takes a file of one JSON object a line; lines that are refused end it with 1."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="file with one JSON object per line")

    def read(self, path: Path, read: Callable[[Any], Entry]) -> JsonLines[Entry]:
        """Return the rows of the file; exit with 2 if it cannot be read."""
        try:
            return read_lines(path, read)
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")

    def finish(
        self, result: dict[str, Any], summary: str, faults: Iterable[LineFault], options: dict[str, Any]
    ) -> None:
        """Print what was done and every line that was refused, in the order of the file."""
        refused = sorted(faults, key=lambda fault: fault.line)
        lines = [str(fault) for fault in refused[:MAX_PRINTED]]
        if len(refused) > MAX_PRINTED:
            lines.append(f"and {len(refused) - MAX_PRINTED} more lines. Use --json to print all")
        self.emit({**result, "refused": [fault.as_json() for fault in refused]}, [summary, *lines], options)
        if refused:
            sys.exit(REFUSED)
