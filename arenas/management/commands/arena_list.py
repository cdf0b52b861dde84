"""`arena_list ARENA [--category rapid] [--at INSTANT] --format csv/json`: the list on demand."""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import date, datetime, timedelta
from typing import Any

from django.core.management.base import CommandParser

from arenas.commands import ArenaCommand
from arenas.models import Arena
from arenas.standings import arena_list, as_csv, to_json
from core.text_values import read_instant


def instant(text: str) -> datetime:
    """Return the instant of an argument; one without an offset is in UTC, a day is its first instant."""
    moment = read_instant(text)
    if moment is None:
        raise ArgumentTypeError(f"{text!r} is not a date and time. Use the form 2026-02-01T12:30:00Z")
    return moment


class Command(ArenaCommand):
    help = "Print the ratings of the members of an arena, now or at a date and time."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--category", help="one category, for example rapid (default: all)")
        parser.add_argument(
            "--at", type=instant, help=("date and time, for example 2026-02-01T12:30:00Z (default: now)")
        )
        parser.add_argument(
            "--format", choices=("csv", "json"), default="json", help="file format (default: json)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        arena, category = self.arena(options), options["category"]
        if category is not None and category not in arena.categories:
            offered = ", ".join(arena.categories)
            self.wrong_use(f"{arena.slug} has no category {category!r}; it has: {offered}")
        if options["at"] is not None:
            self.warn(days_to_come(arena, options["at"].date()))
        rows = arena_list(arena, category=category, at=options["at"])
        is_csv = options["format"] == "csv" and not options["json"]
        self.stdout.write(as_csv(rows) if is_csv else to_json(rows), ending="")


def days_to_come(arena: Arena, day: date) -> list[str]:
    """Return a warning where days before this one have not been ended: their decay and floors are made up later."""
    if arena.day_done is not None and arena.day_done >= day - timedelta(days=1):
        return []
    ended = f"the last processed day is {arena.day_done}" if arena.day_done else "no day was processed yet"
    return [f"These ratings can still change: {ended}. Missed days are processed later."]
