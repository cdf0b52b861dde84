"""`check_trf FILE...`: read and check reports without a database."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import REFUSED, PortalCommand
from tournaments.trf import Finding, Report, Severity, check_report, read_report
from tournaments.trf.limits import MAX_BYTES
from tournaments.trf.reader import SUFFIXES

STANDARD_INPUT = "-"
WIDEST = 160


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that was read and what was found in it."""

    name: str
    report: Report
    findings: tuple[Finding, ...]

    @property
    def has_errors(self) -> bool:
        """Whether anything in the file blocks it."""
        return any(finding.severity == Severity.ERROR for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Return the file as plain values."""
        return {
            "file": self.name,
            "players": len(self.report.players),
            "games": sum(pairing.played for pairing in self.report.games),
            "findings": [_finding_as_json(finding) for finding in self.findings],
        }


class Command(PortalCommand):
    """Check reports. Exit 0: no errors; 1: errors; 2: wrong use, such as a missing file."""

    help = "Check tournament reports (TRF). Lists each issue with line, column and fix. No database needed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take files, folders and `-`."""
        super().add_arguments(parser)
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="file, folder of reports, or - for standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Check every file and print what was found."""
        names = [name for given in options["files"] for name in self._expand(given)]
        # Each report is released after printing: a folder may have thousands.
        documents: list[dict[str, Any]] = []
        has_errors = False
        for name in names:
            checked = self._check(name)
            has_errors |= checked.has_errors
            if options["json"]:
                documents.append(checked.as_json())
            else:
                self.emit(None, as_text(checked), options)
        if options["json"]:
            self.emit({"files": documents}, (), options)
        if has_errors:
            sys.exit(REFUSED)

    def _expand(self, name: str) -> list[str]:
        """Return the files that a name means: itself, or the reports in a folder."""
        path = Path(name)
        if name == STANDARD_INPUT or path.is_file():
            return [name]
        if not path.is_dir():
            self.wrong_use(f"{name}: file not found")
        reports = sorted(
            file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file()
        )
        if not reports:
            self.wrong_use(f"{name}: there is no report in this folder ({', '.join(sorted(SUFFIXES))})")
        return [str(report) for report in reports]

    def _check(self, name: str) -> CheckedFile:
        report = read_report(self._content(name), on=timezone.now().date())
        return CheckedFile(name, report, check_report(report))

    def _content(self, name: str) -> bytes:
        """Return a file's bytes, one more than a report may have at most."""
        try:
            if name == STANDARD_INPUT:
                return sys.stdin.buffer.read(MAX_BYTES + 1)
            with Path(name).open("rb") as file:
                return file.read(MAX_BYTES + 1)
        except OSError as error:
            self.wrong_use(f"{name}: {error.strerror}")


def as_text(checked: CheckedFile) -> Iterator[str]:
    """Yield a line for the file, and for each finding its line with a marker under the column."""
    counts = Counter(finding.severity for finding in checked.findings)
    counted = ", ".join(f"{counts[severity]} {severity}s" for severity in Severity)
    games = sum(pairing.played for pairing in checked.report.games)
    yield f"{checked.name}: {len(checked.report.players)} players, {games} games; {counted}"
    for finding in checked.findings:
        yield from _finding_as_text(checked, finding)


def _finding_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "fix": finding.fix,
    }


def _finding_as_text(checked: CheckedFile, finding: Finding) -> Iterator[str]:
    place = ":".join(str(part) for part in (checked.name, finding.line, finding.column) if part is not None)
    yield f"{place}: {finding.severity} {finding.code}: {finding.message}"
    if finding.line is None or finding.line > len(checked.report.lines):
        return
    yield from _mark_fault(checked.report.lines[finding.line - 1], finding)
    if finding.fix is not None:
        yield f"  fix: {finding.fix}"


def _mark_fault(line: str, finding: Finding) -> Iterator[str]:
    """Yield the part of a line around its fault, and a marker under it."""
    column = finding.column or 1
    start = max(0, column + finding.length - WIDEST)
    shown = "".join(letter if letter.isprintable() else " " for letter in line[start : start + WIDEST])
    yield f"  | {shown}"
    if finding.column is not None:
        yield f"  | {' ' * (column - 1 - start)}{'^' * max(1, finding.length)}"
