"""What the commands of arenas share: the arena by its slug, and files of one JSON object a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

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

    def __str__(self) -> str:
        return f"line {self.line}: {'; '.join(self.reasons)}"


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

    def read(self, path: Path, read: Callable[[Any], Entry]) -> tuple[dict[int, Entry], list[LineFault]]:
        """Return the entries of the file by line, and the lines that cannot be read; exit with 2 if the file cannot."""
        entries: dict[int, Entry] = {}
        faults: list[LineFault] = []
        try:
            with path.open("rb") as source:
                for number, content in enumerate(source, start=1):
                    # Editors of Windows begin UTF-8 files with this mark, which JSON refuses.
                    text = content.removeprefix(b"\xef\xbb\xbf") if number == 1 else content
                    try:
                        if text.strip():
                            entries[number] = read(_parse(text))
                    except EntryError as error:
                        faults.append(LineFault(number, error.reasons))
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")
        return entries, faults

    def finish(
        self, result: dict[str, Any], summary: str, faults: Iterable[LineFault], options: dict[str, Any]
    ) -> None:
        """Print what was done and every line that was refused, in the order of the file."""
        refused = sorted(faults, key=lambda fault: fault.line)
        lines = [str(fault) for fault in refused[:MAX_PRINTED]]
        if len(refused) > MAX_PRINTED:
            lines.append(f"and {len(refused) - MAX_PRINTED} more lines. Use --json to print all")
        self.emit({**result, "refused": [*map(asdict, refused)]}, [summary, *lines], options)
        if refused:
            sys.exit(REFUSED)
