"""`import_fide_list FILE --date 2026-01-01`: bring FIDE's combined or single list in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone
from rich.progress import DownloadColumn

from core.commands import PortalCommand, iso_day, operator_name, progress_bar
from core.errors import RefusedError, refused
from players.fide_list import FideListError, LineProblem
from ratings.choices import ListKind
from ratings.imports import Import, ReportProgress, import_list
from ratings.runs import perform_now

MAX_PRINTED = 20


class Command(PortalCommand):
    help = (
        "Import players, federations and rating lists from a FIDE file (TXT or XML, uncompressed, "
        ".gz or .zip)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="file of the FIDE list")
        parser.add_argument(
            "--date", type=iso_day, required=True, help=("date of the list, for example 2026-01-01")
        )
        parser.add_argument(
            "--kind",
            choices=ListKind.values,
            help=("rating type of a single list, if the file name does not contain it"),
        )
        parser.add_argument(
            "--force",
            metavar="REASON",
            default="",
            help=(
                "import although the file has another date or rating type, or more than one record in a "
                "thousand was skipped"
            ),
        )
        parser.add_argument(
            "--adopt",
            metavar="REASON",
            default="",
            help="use the FIDE list instead of the list that the portal would publish",
        )
        contains = parser.add_mutually_exclusive_group()
        contains.add_argument(
            "--contains",
            metavar="EVENT_ID",
            action="append",
            help=(
                "a waiting report that the adopted FIDE list contains, so that no other list includes it (default: all "
                "that ended in time for the list)"
            ),
        )
        contains.add_argument(
            "--contains-none", action="store_true", help="the adopted FIDE list contains no waiting report"
        )
        parser.add_argument("--dry-run", action="store_true", help="show the effect, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        path, on = options["file"], options["date"]
        self._check(path, on)
        begun = time.monotonic()
        try:
            with _bytes_read() as report:
                done = import_list(
                    path,
                    on=on,
                    at=timezone.now(),
                    by_name=operator_name(),
                    kind=options["kind"],
                    report=report,
                    dispatch=perform_now,
                    force=options["force"],
                    adopt=options["adopt"],
                    contained=[] if options["contains_none"] else options["contains"],
                    is_dry_run=options["dry_run"],
                )
        except FideListError as error:
            self.refuse_as(refused(error.code, f"{path.name}: {error}"), _nothing(options), options)
        except RefusedError as error:
            self.refuse_as(error, _nothing(options), options)
        seconds = round(time.monotonic() - begun, 1)
        self.warn(done.notices)
        lines = _lines(done, seconds)
        result = {**_result(done, seconds), "written": not options["dry_run"]}
        self.emit(result, ["nothing was written:", *lines] if options["dry_run"] else lines, options)

    def _check(self, path: Path, on: Any) -> None:
        if on.day != 1:
            self.wrong_use(
                f"{on.isoformat()} is not the date of a list. Lists are dated the first of a month"
            )
        try:
            # A wrong path is wrong use of the command, and not a list that is refused.
            path.open("rb").close()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")


@contextmanager
def _bytes_read() -> Iterator[ReportProgress | None]:
    with progress_bar(DownloadColumn()) as bar:
        if bar is None:
            yield None
            return
        task = bar.add_task("reading", total=None)
        yield lambda step, done, total: bar.update(
            task, description=str(step.label), completed=done, total=total
        )


def _result(done: Import, seconds: float) -> dict[str, Any]:
    return {**done.summary(), "warnings": list(done.notices), "reasons": [], "seconds": seconds}


def _nothing(options: dict[str, Any]) -> dict[str, Any]:
    return _result(Import(options["date"], 0, 0, 0, (), (), 0, ()), 0)


def _lines(done: Import, seconds: float) -> Iterator[str]:
    if done.is_known:
        yield f"nothing is new: the file was imported before ({done.read:,} players read in {seconds} s)"
    else:
        yield (f"{done.read:,} players read, {done.created:,} new, {done.changed:,} changed, in {seconds} s")
    for item in done.lists:
        state = "imported" if item.is_new else "already imported"
        yield f"{item.kind} {done.on.isoformat()} {state}: {item.listed:,} players"
    for item in done.compared:
        yield f"{item.kind} {done.on.isoformat()} kept for comparison: {item.listed:,} players"
    for kind in done.corrected:
        yield f"{kind} {done.on.isoformat()} corrected: the next lists include the differences"
    for change in done.kept[:MAX_PRINTED]:
        fields = ", ".join(f"{name} {own} and not {other}" for name, own, other in change.fields)
        yield f"{change.fide_id} {change.name} kept as decided here: {fields}"
    if done.kept_count > MAX_PRINTED:
        yield f"... and {done.kept_count - MAX_PRINTED:,} more players kept as decided here"
    for repairs in done.repairs:
        examples = ", ".join(f"line {one.line} “{one.text}” → “{one.read}”" for one in repairs.examples)
        yield f"{repairs.name} read as far as possible in {repairs.count:,} records: {examples}"
    yield from map(_problem, done.problems[:MAX_PRINTED])
    if done.problem_count > MAX_PRINTED:
        yield f"... and {done.problem_count - MAX_PRINTED:,} more skipped lines"


def _problem(problem: LineProblem) -> str:
    column = f", column {problem.column}" if problem.column else ""
    return f"line {problem.line}{column} skipped: {problem.message}"
