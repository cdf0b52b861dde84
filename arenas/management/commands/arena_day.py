"""`arena_day ARENA --date 2026-02-01`: the day's decay and floors."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from arenas.commands import ArenaCommand
from arenas.services.days import end_arena_day
from core.commands import iso_day


class Command(ArenaCommand):
    help = (
        "End a day: what it takes from ratings, after its games; missed days are made up, none is done twice."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--date", type=iso_day, required=True, help="the day that is over, as 2026-02-01")

    def handle(self, *args: Any, **options: Any) -> None:
        arena, day = self.arena(options), options["date"]
        changes = end_arena_day(arena, day, at=timezone.now())
        result = {"arena": arena.slug, "date": day.isoformat(), "changes": changes}
        self.emit(result, [f"{arena.slug} {day.isoformat()}: {changes} changes"], options)
