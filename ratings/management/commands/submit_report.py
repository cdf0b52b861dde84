"""`submit_report FILE.trf --kind rapid ...`: register, submit, accept and rate in one call."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import REFUSED, PortalCommand
from ratings.management.terms import OPTIONS, kept_registration, terms_of
from ratings.submission import Submission, Submitted, submit


class Command(PortalCommand):
    help = "Register a tournament if it is new, and submit, accept and rate its report."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="TRF file of the report")
        for option in OPTIONS:
            option.add_to(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        content = self._read_file(path)
        pgn = self._read_file(options["pgn"]) if options["pgn"] else None
        submission = submit(Submitted(content, terms_of(options, pgn=pgn), path.name), at=timezone.now())
        self.warn(submission.warnings)
        result = submission.as_json()
        if not submission.is_accepted:
            refused = (f"refused: {reason}" for reason in result["reasons"])
            self.emit(result, [*refused, *kept_registration(result)], options)
            sys.exit(REFUSED)
        self.emit(result, [_sentence(submission)], options)

    def _read_file(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")


def _sentence(submission: Submission) -> str:
    list_date = submission.list_date.isoformat() if submission.list_date else "-"
    return f"{submission.tournament}: accepted and rated, for the list of {list_date}"
