"""`correct_report EVENT_ID [FILE.trf] --reason "..."`: correct a report, or withdraw a published one (D-11)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import CommandParser
from django.utils import timezone

from core.acts import Act
from core.commands import PortalCommand, iso_day
from core.errors import RefusedError
from ratings.amend.amend import amend
from ratings.amend.effect import Effect, effect_as_json
from ratings.choices import LineKind
from ratings.models import CorrectionLine
from tournaments.amendments import Amendment, File, OfOneGame, Withdrawal
from tournaments.models import Tournament


class Command(PortalCommand):
    help = (
        "Correct the report of a tournament. If it is published, the next list includes the adjustments, and without "
        "a file the report is withdrawn."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("event_id", help="event ID of the tournament")
        parser.add_argument(
            "file", type=Path, nargs="?", help=("corrected report (default: withdraw the report)")
        )
        parser.add_argument(
            "--amendments",
            type=Path,
            help="JSON file of the results to correct, as POST .../amendments takes them",
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
        amendments = self._read_amendments(options)
        act = Act(None, timezone.now(), options["reason"], options["submitted_on"])
        try:
            effect = amend(tournament, amendments, act, is_dry_run=options["dry_run"])
        except RefusedError as error:
            self.refuse_as(error, {"corrected": False}, options)
        self.warn(effect.warnings)
        result = {"corrected": not options["dry_run"], "reasons": [], **effect_as_json(effect)}
        self.emit(result, _sentences(effect, is_dry_run=options["dry_run"]), options)

    def _read_amendments(self, options: dict[str, Any]) -> list[Amendment]:
        """Return those of a JSON file, else the file in the place of the report, else its withdrawal."""
        if options["amendments"] is None:
            content = self._read_file(options["file"])
            return [Withdrawal() if content is None else File(name=options["file"].name, content=content)]
        if options["file"] is not None:
            self.wrong_use("Give a corrected report or --amendments, not both.")
        try:
            return [*msgspec.json.decode(self._read_file(options["amendments"]) or b"", type=list[OfOneGame])]
        except msgspec.DecodeError as error:
            self.wrong_use(f"{options['amendments']}: {error}")

    def _read_file(self, path: Path | None) -> bytes | None:
        try:
            return None if path is None else path.read_bytes()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")


def _sentences(effect: Effect, *, is_dry_run: bool) -> list[str]:
    head = "would change" if is_dry_run else "changes"
    count = len(effect.lines if effect.is_published else effect.players)
    players = "1 player" if count == 1 else f"{count} players"
    lines = [f"{effect.subject}: {head} {players} on the next list"]
    for line in effect.lines:
        on = line.corrected_list.date.isoformat()
        lines.append(f"  {line.player_id}  list {on}  {line.kind}  {_change(line)}")
    for one in effect.taken:
        rounding = f", of which rounding {one.rounding / 100:+.2f}" if one.rounding else ""
        lines.append(f"  {one.player_id}  next list  {one.points:+d} ({one.difference / 100:+.2f}{rounding})")
    for player in () if effect.is_published else effect.players:
        change = f"{player.before.change / 100:+.2f} to {player.after.change / 100:+.2f}"
        lines.append(f"  {player.player_id}  list so far  {change}")
    return lines


def _change(line: CorrectionLine) -> str:
    """Return the difference, or for a rating that begins or ends the one before and the one after."""
    if line.kind in (LineKind.INITIAL, LineKind.LOST):
        sides = (line.before_hundredths, line.after_hundredths)
        return " to ".join("unrated" if side is None else f"{side / 100:.2f}" for side in sides)
    return f"{line.difference_hundredths / 100:+.2f}"
