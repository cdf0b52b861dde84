"""`import_register FILE --federation SUI`: bring a federation's own register in."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from rich.progress import MofNCompleteColumn

from core.acts import Act
from core.commands import PortalCommand, operator_name, progress_bar
from core.errors import RefusedError
from players.models import Federation
from players.register import COUNTS, import_register
from players.register_file import COLUMNS, SENTENCES
from ratings.imports.browser import register_hints
from ratings.runs import perform_now

MAX_PRINTED = 20


class Command(PortalCommand):
    help = (
        "Import the register of a federation (CSV or spreadsheet): national numbers, clubs and new players."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="file of the register")
        parser.add_argument("--federation", required=True, help="code of the federation, for example SUI")
        parser.add_argument(
            "--columns",
            type=Path,
            metavar="MAPPING.json",
            help="what the columns are, by their headings or numbers (default: as in the last file, else guessed)",
        )
        parser.add_argument(
            "--names-are-right", action="store_true", help="take names of new players as they are in the file"
        )
        parser.add_argument("--dry-run", action="store_true", help="show the effect, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path, code = options["file"], options["federation"].upper()
        federation = Federation.objects.filter(pk=code).first() or self.wrong_use(
            f"no federation has the code {code}"
        )
        if not path.is_file():
            self.wrong_use(f"{path} cannot be read")
        begun = time.monotonic()
        try:
            with _rows_read() as report:
                done = import_register(
                    path,
                    federation,
                    act=Act(None, timezone.now()),
                    by_name=operator_name(),
                    columns=self._columns(options["columns"]),
                    is_name_right=options["names_are_right"],
                    is_dry_run=options["dry_run"],
                    report=report,
                    dispatch=perform_now,
                )
        except RefusedError as error:
            self.refuse_as(error, {"written": False}, options)
        found = done.summary()
        for row in (*found["doubtful"], *found["wrong"]):
            row.update(code=row["why"][0]["code"], message=SENTENCES.show(row.pop("why")))
        seconds = round(time.monotonic() - begun, 1)
        warnings = register_hints(found["columns"].values())
        result = {**found, "written": not options["dry_run"], "warnings": warnings, "reasons": []}
        result["seconds"] = seconds
        self.warn(warnings)
        self.emit(result, _lines(result), options)

    def _columns(self, path: Path | None) -> dict[str, str] | None:
        if path is None:
            return None
        try:
            columns = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            self.wrong_use(f"{path} cannot be read: {error}")
        if not isinstance(columns, dict) or not all(name in COLUMNS for name in columns.values()):
            self.wrong_use(f"{path}: each heading or number has one of {', '.join(COLUMNS)}")
        return columns


@contextmanager
def _rows_read() -> Iterator[Callable[[int, int], None] | None]:
    with progress_bar(MofNCompleteColumn()) as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("reading", total=None)
        yield lambda rows, total: bar.update(task, completed=rows, total=total)


def _lines(found: dict[str, Any]) -> Iterator[str]:
    if not found["written"]:
        yield "nothing was written:"
    yield (
        ", ".join(f"{name.removesuffix('_count')} {found[name]:,}" for name in COUNTS)
        + f", in {found['seconds']} s"
    )
    yield f"columns: {', '.join(f'{head} = {name}' for head, name in found['columns'].items())}"
    for row in found["doubtful"][:MAX_PRINTED]:
        ids = f" ({', '.join(map(str, row['candidates']))})" if row["candidates"] else ""
        yield f"line {row['line']} {row['name']}: {row['message']}{ids}"
    for row in found["wrong"][:MAX_PRINTED]:
        yield f"line {row['line']}, {row['column']} “{row['value']}”: {row['message']}"
    left = len(found["doubtful"][MAX_PRINTED:]) + len(found["wrong"][MAX_PRINTED:])
    if left:
        yield f"... and {left:,} more rows (--json names them)"
