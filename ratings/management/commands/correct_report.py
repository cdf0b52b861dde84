"""`correct_report EVENT_ID [FILE.trf] --reason "..."`: correct a published report, or withdraw it (D-11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from core.errors import RefusedError
from ratings.choices import LineKind
from ratings.models import CorrectionLine
from ratings.services.corrections.reports import Effect, correct_report
from tournaments.models import Tournament


class Command(PortalCommand):
    help = "Replace or withdraw the report of a published tournament. The next list includes the adjustments."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("event_id", help="event ID of the tournament")
        parser.add_argument(
            "file", type=Path, nargs="?", help=("corrected report (default: withdraw the report)")
        )
        parser.add_argument("--reason", required=True, help="reason (public, in the correction log)")
        parser.add_argument("--dry-run", action="store_true", help="show the effect, change nothing")
        parser.add_argument(
            "--submitted-on",
            type=iso_day,
            help="date of the correction, for example 2026-02-01 (default: today)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(event_id=options["event_id"]).first()
        if tournament is None:
            reason = f"no tournament has event ID {options['event_id']}"
            self.refuse({"corrected": False, "reasons": [reason]}, [reason], options)
        now = timezone.now()
        try:
            effect = correct_report(
                tournament,
                self._read_file(options["file"]),
                file_name=options["file"].name if options["file"] else "",
                reason=options["reason"],
                by=None,
                on=options["submitted_on"] or now.date(),
                at=now,
                is_dry_run=options["dry_run"],
            )
        except RefusedError as error:
            self.refuse_as(error, {"corrected": False}, options)
        self.warn(effect.warnings)
        result = {"corrected": not options["dry_run"], "reasons": [], **_effect(effect)}
        self.emit(result, _sentences(effect, is_dry_run=options["dry_run"]), options)

    def _read_file(self, path: Path | None) -> bytes | None:
        try:
            return None if path is None else path.read_bytes()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "tournament": effect.tournament.event_id,
        "lists": [rating_list.date.isoformat() for rating_list in effect.corrected_lists],
        "lines": [_line(line) for line in effect.lines],
        "taken": [
            {
                "fide_id": one.player_id,
                "kind": one.kind,
                "points": one.points,
                "difference": one.difference,
                "rounding": one.rounding,
            }
            for one in effect.taken
        ],
        "warnings": list(effect.warnings),
    }


def _line(line: CorrectionLine) -> dict[str, Any]:
    return {
        "fide_id": line.player_id,
        "list": line.corrected_list.date.isoformat(),
        "kind": str(line.kind),
        "before": line.before_hundredths,
        "after": line.after_hundredths,
        "difference": line.difference_hundredths,
        "games": line.games_difference,
    }


def _sentences(effect: Effect, *, is_dry_run: bool) -> list[str]:
    head = "would change" if is_dry_run else "changes"
    count = len(effect.lines)
    players = "1 player" if count == 1 else f"{count} players"
    lines = [f"{effect.tournament}: {head} {players} on the next list"]
    for line in effect.lines:
        on = line.corrected_list.date.isoformat()
        lines.append(f"  {line.player_id}  list {on}  {line.kind}  {_change(line)}")
    for one in effect.taken:
        rounding = f", of which rounding {one.rounding / 100:+.2f}" if one.rounding else ""
        lines.append(f"  {one.player_id}  next list  {one.points:+d} ({one.difference / 100:+.2f}{rounding})")
    return lines


def _change(line: CorrectionLine) -> str:
    """Return the difference, or for a rating that begins or ends the one before and the one after."""
    if line.kind in (LineKind.INITIAL, LineKind.LOST):
        sides = (line.before_hundredths, line.after_hundredths)
        return " to ".join("unrated" if side is None else f"{side / 100:.2f}" for side in sides)
    return f"{line.difference_hundredths / 100:+.2f}"
