"""`export_games 2026-02-01 --format csv -o FILE`: the games of the lists of a month."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand, iso_day
from ratings.games import as_csv, as_ndjson, games_of_month, lists_of_month

FORMATS = {"csv": as_csv, "ndjson": as_ndjson}


class Command(PortalCommand):
    help = "Export the games of the rapid and blitz lists of a month, as in the published file of games."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("date", type=iso_day, help="date of the lists, for example 2026-02-01")
        parser.add_argument("--format", choices=FORMATS, default="csv", help="file format (default: csv)")
        self.add_output(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        if not lists_of_month(options["date"]):
            reason = f"the lists of {options['date'].isoformat()} are not published"
            self.refuse({"exported": False, "reasons": [reason]}, [reason], options)
        self.export(map(str.encode, FORMATS[options["format"]](games_of_month(options["date"]))), options)
