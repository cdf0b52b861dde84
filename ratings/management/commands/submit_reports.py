"""`submit_reports FOLDER --manifest FILE.csv`: many reports at once, each as `submit_report` does one."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import CommandError, CommandParser
from django.utils import timezone

from core.commands import REFUSED, PortalCommand
from core.processes import ProcessFailedError
from ratings.management.terms import OPTIONS, kept_registration, read_cells, terms_of
from ratings.submission import ReportFile, submit_files

COLUMNS = ("file", *(option.name for option in OPTIONS))
NEEDED = ("file", *(option.name for option in OPTIONS if option.is_required))
MAX_PROBLEMS = 20
# What shells return for a program that Ctrl-C ended: 128 and the number of the signal.
INTERRUPTED = 130


class Command(PortalCommand):
    help = (
        "Register new tournaments and submit, accept and rate their reports from a manifest. Run it "
        "again to continue after an interruption."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="folder of the TRF files")
        parser.add_argument(
            "--manifest",
            type=Path,
            required=True,
            help=(
                f"CSV file in UTF-8 with one row per report. Columns: {', '.join(COLUMNS)}. Enter yes or "
                "nothing in yes/no columns."
            ),
        )
        parser.add_argument(
            "--jobs",
            type=int,
            nargs="?",
            const=os.cpu_count() or 1,
            default=1,
            help="number of processes (default: 1, or all cores if --jobs has no number)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["jobs"] < 1:
            self.wrong_use("--jobs must be 1 or more.")
        files = self._files(options["folder"], options["manifest"])
        results = submit_files(files, at=timezone.now(), jobs=options["jobs"])
        refused = 0
        try:
            for file, result in zip(files, results, strict=True):
                self._show(file.path.relative_to(options["folder"]), result, options)
                refused += not result["accepted"]
        except ProcessFailedError as error:
            raise CommandError(f"{error}\nRun the command again to continue.") from error
        except KeyboardInterrupt:
            self.stderr.write("Stopped. Run the command again to continue.")
            sys.exit(INTERRUPTED)
        if refused:
            sys.exit(REFUSED)

    def _show(self, name: Path, result: dict[str, Any], options: dict[str, Any]) -> None:
        if options["verbosity"]:
            warnings = (f"{name}: warning: {warning}\n" for warning in result["warnings"])
            self.stderr.write("".join(warnings), ending="")
        reasons = [f"refused: {reason}" for reason in result["reasons"]]
        lines = [f"{name}: {line}" for line in (*reasons, *kept_registration(result))]
        if result["accepted"]:
            lines = [f"{name}: {result['tournament']} accepted and rated, for the list of {result['list']}"]
        self.emit(result, lines, options)

    def _files(self, folder: Path, manifest: Path) -> list[ReportFile]:
        """Return the files that a manifest lists; wrong use, all problems named, where one cannot be submitted."""
        files: list[ReportFile] = []
        problems: list[str] = []
        for number, row in self._rows(manifest):
            values, found = read_cells(row)
            paths = [folder / row["file"], *([folder / values["pgn"]] if values.get("pgn") else [])]
            found += [f"{path} cannot be read" for path in paths if not os.access(path, os.R_OK)]
            found += [f"{path} is not a file" for path in paths if path.is_dir()]
            if not paths[0].is_relative_to(folder):
                found.append(f"{paths[0]} is not in {folder}")
            problems += [f"line {number}: {problem}" for problem in found]
            if not found:
                files.append(ReportFile(paths[0], terms_of(values), paths[1] if len(paths) > 1 else None))
        if problems:
            self._refuse_manifest(manifest, problems)
        return files

    def _rows(self, manifest: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
        """Yield the rows of a manifest with the numbers of their lines, spaces around the cells left out."""
        try:
            # Spreadsheets begin UTF-8 files with a mark, which would be part of the first column's name.
            text = manifest.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            self.wrong_use(f"{manifest} cannot be read: {error}")
        # Cells beyond the columns come under an empty name, which no column may have.
        reader = csv.DictReader(text.splitlines(), restkey="", strict=True)
        names = [name.strip() for name in reader.fieldnames or ()]
        problems = [f"unknown column {name!r}" for name in names if name not in COLUMNS]
        problems += [
            f"column {name!r} appears more than once" for name in sorted(set(names)) if names.count(name) > 1
        ]
        problems += [f"column {name!r} is missing" for name in NEEDED if name not in names]
        if problems:
            self._refuse_manifest(manifest, problems)
        try:
            for row in reader:
                if "" in row or None in row.values():
                    self._refuse_manifest(
                        manifest, [f"line {reader.line_num}: other cells than the {len(names)} columns"]
                    )
                yield reader.line_num, {name.strip(): cell.strip() for name, cell in row.items()}
        except csv.Error as error:
            self._refuse_manifest(manifest, [f"line {reader.line_num}: {error}"])

    def _refuse_manifest(self, manifest: Path, problems: list[str]) -> NoReturn:
        more = len(problems) - MAX_PROBLEMS
        shown = problems[:MAX_PROBLEMS] + ([f"and {more} more"] if more > 0 else [])
        self.wrong_use("\n".join(f"{manifest}: {problem}" for problem in shown))
