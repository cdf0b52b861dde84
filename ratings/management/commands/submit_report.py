"""`submit_report FILE.trf --kind rapid ...`: register, submit, accept and rate in one call."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from ratings.services.submission import Submission, submit
from ratings.services.submitted import Terms
from tournaments.choices import Kind
from tournaments.trf.time_control import TimeControl, parse_time_control


def time_control(text: str) -> TimeControl:
    """Return the time control of an argument such as 15+10."""
    parsed = parse_time_control(text)
    if parsed is None:
        raise ArgumentTypeError(f"{text!r} is no time control; write minutes and seconds as 15+10")
    return parsed


class Command(PortalCommand):
    help = "Register a tournament if it is new, submit its report, accept it and rate it."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path)
        parser.add_argument("--kind", choices=Kind.values, required=True)
        parser.add_argument("--time-control", type=time_control, required=True)
        parser.add_argument("--federation", type=str.upper, required=True)
        parser.add_argument("--registered-on", type=iso_day, required=True)
        parser.add_argument("--submitted-on", type=iso_day, required=True)
        parser.add_argument("--event-id", default="")
        parser.add_argument(
            "--official", action="store_true", help="official FIDE or continental event (0.3)"
        )
        parser.add_argument("--match", action="store_true", help="a match (5)")
        parser.add_argument("--match-waiver", default="", help="reference of the waiver (5.2)")
        parser.add_argument("--hybrid", action="store_true", help="hybrid conditions (2.1)")
        parser.add_argument("--pgn", type=Path, help="the games of a hybrid tournament (8.4)")
        parser.add_argument("--qc-approved", default="", help="the QC's reason for allowing it (0.2)")

    def handle(self, *args: Any, **options: Any) -> None:
        content = self._read(options["file"])
        pgn = self._read(options["pgn"]) if options["pgn"] else None
        submission = submit(content, _terms(options, pgn), file_name=options["file"].name, at=timezone.now())
        for warning in submission.warnings:
            self.stderr.write(f"warning: {warning}")
        result = _result(submission)
        if not submission.is_accepted:
            self.refuse(result, result["reasons"], options)
        self.emit(result, [_sentence(submission)], options)

    def _read(self, path: Path) -> bytes:
        try:
            return path.read_bytes()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")


def _terms(options: dict[str, Any], pgn: bytes | None) -> Terms:
    control: TimeControl = options["time_control"]
    return Terms(
        kind=options["kind"],
        base_seconds=control.base,
        increment_seconds=control.increment,
        has_unequal_times=control.is_unequal,
        federation_code=options["federation"],
        registered_on=options["registered_on"],
        submitted_on=options["submitted_on"],
        event_id=options["event_id"],
        is_official=options["official"],
        is_match=options["match"],
        match_waiver=options["match_waiver"],
        is_hybrid=options["hybrid"],
        pgn=pgn,
        qc_approved=options["qc_approved"],
    )


def _result(submission: Submission) -> dict[str, Any]:
    list_date = submission.list_date
    return {
        "accepted": submission.is_accepted,
        "reasons": [str(refusal.message) for refusal in submission.refusals],
        "tournament": submission.tournament.event_id if submission.tournament else None,
        "list": list_date.isoformat() if list_date else None,
    }


def _sentence(submission: Submission) -> str:
    list_date = submission.list_date.isoformat() if submission.list_date else "-"
    return f"{submission.tournament}: accepted and rated, for the list of {list_date}"
