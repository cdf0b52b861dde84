"""What the commands of arenas share: the arena by its slug, and files of one object a line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandParser

from arenas.jsonl import LineFault, Lines, read_lines
from arenas.models import Arena
from core.commands import REFUSED, PortalCommand

Entry = TypeVar("Entry")
MOST_PRINTED = 20


class ArenaCommand(PortalCommand):
    """A command whose first argument is the slug of an arena."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("arena", help="the slug of the arena, such as foa-rbb")

    def arena(self, options: dict[str, Any]) -> Arena:
        """Return the arena; refuses where there is none."""
        arena = Arena.objects.filter(slug=options["arena"]).first()
        if arena is None:
            known = ", ".join(Arena.objects.values_list("slug", flat=True))
            reason = f"there is no arena {options['arena']!r}; there are: {known}"
            self.refuse({"arena": None, "reasons": [reason]}, [reason], options)
        return arena


class ImportCommand(ArenaCommand):
    """A command that takes a file of one JSON object a line; lines that are refused end it with 1."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="one JSON object a line")

    def read(self, path: Path, read: Callable[[Any], Entry]) -> Lines[Entry]:
        """Return what stands in the file; wrong use where it cannot be read."""
        try:
            return read_lines(path, read)
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")

    def finish(
        self, result: dict[str, Any], summary: str, faults: Iterable[LineFault], options: dict[str, Any]
    ) -> None:
        """Print what was done and every line that was refused, in the order of the file."""
        refused = sorted(faults, key=lambda fault: fault.line)
        told = [str(fault) for fault in refused[:MOST_PRINTED]]
        if len(refused) > MOST_PRINTED:
            told.append(f"and {len(refused) - MOST_PRINTED} more lines; --json tells them all")
        self.emit({**result, "refused": [fault.as_json() for fault in refused]}, [summary, *told], options)
        if refused:
            sys.exit(REFUSED)
