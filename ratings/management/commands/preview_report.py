"""`preview_report FILE.trf --kind rapid`: what a report would do; writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from ratings.in_force import InForce
from ratings.preview import Preview, PreviewRow, preview_as_json, preview_report, tournament_told_by
from tournaments.checking import check_contents
from tournaments.choices import Kind
from tournaments.lookups import Lookups
from tournaments.trf import read_report


class Command(PortalCommand):
    help = "Preview the rating changes, new ratings and unrated games of a report. Nothing is saved."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, help="TRF file of the report")
        parser.add_argument(
            "--kind", choices=Kind.values, required=True, help="rating type of the tournament"
        )
        parser.add_argument(
            "--on", type=iso_day, help="date of acceptance, for example 2026-02-01 (default: today)"
        )
        parser.add_argument(
            "--official", action="store_true", help="official FIDE or continental event (article 0.3)"
        )
        parser.add_argument("--match", action="store_true", help="match (article 5)")
        parser.add_argument(
            "--games-per-match", type=int, help=("games per match (article 5.2, decision D-84)")
        )
        parser.add_argument("--match-waiver", default="", help="reference of the waiver (article 5.2)")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        on: date = options["on"] or timezone.now().date()
        try:
            read = read_report(path.read_bytes(), on=on)
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")
        tournament = tournament_told_by(
            read,
            kind=options["kind"],
            on=on,
            is_official=options["official"],
            is_match=options["match"],
            games_per_match=options["games_per_match"],
            match_waiver=options["match_waiver"],
        )
        lookups = Lookups()
        checked = check_contents(read, tournament, on=max(on, tournament.end), lookups=lookups)
        reasons = [_place(finding.line) + finding.message for finding in checked.errors]
        warnings = [_place(finding.line) + finding.message for finding in checked.warnings]
        self.warn(warnings)
        adoptions = lookups.of(InForce).adoptions
        if not adoptions.has_text_on(tournament.start):
            first = adoptions.first_day.isoformat()
            reasons.append(f"no rules are held for tournaments that start before {first} (D-13)")
        if reasons:
            self.refuse({"previewed": False, "reasons": reasons, "warnings": warnings}, reasons, options)
        preview = preview_report(checked, tournament, on=on, lookups=lookups)
        result = {"previewed": True, "reasons": [], "warnings": warnings, **preview_as_json(preview)}
        self.emit(result, _lines(preview), options)


def _place(line: int | None) -> str:
    return f"line {line}: " if line else ""


def _lines(preview: Preview) -> Iterator[str]:
    rated = preview.rated
    yield f"for the list of {preview.list_date}: {rated.counted_games} games count, by {rated.basis.rules.slug}"
    for row in preview.rows:
        yield _line(row)


def _line(row: PreviewRow) -> str:
    head = f"{row.number:>4}  {row.name:<35}"
    if row.result is None or row.player is None:
        return f"{head}  not registered in the portal"
    previous = row.previous or "unrated"
    rating = row.result.rating or "unrated"
    change = f"{row.result.change / 100:+.2f}"
    return f"{head} {row.player.fide_id:>10}  {previous:>7} -> {rating:>7}  {change:>7}  {row.result.outcome}"
