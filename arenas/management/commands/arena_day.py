"""`arena_day ARENA --date 2026-02-01`: the day's decay and floors."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from arenas.commands import ArenaCommand
from arenas.days import end_arena_day
from core.commands import iso_day
from core.errors import RefusedError


class Command(ArenaCommand):
    help = (
        "Process the end of a day: rating floors and daily decay after its games. Missed days are "
        "processed first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--date", type=iso_day, required=True, help=("date to process, for example 2026-02-01")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        arena, day = self.arena(options), options["date"]
        try:
            changes = end_arena_day(arena, day, at=timezone.now())
        except RefusedError as error:
            self.refuse_as(error, {"arena": arena.slug, "date": day.isoformat(), "changes": 0}, options)
        result = {"arena": arena.slug, "date": day.isoformat(), "changes": changes}
        self.emit(result, [f"{arena.slug} {day.isoformat()}: {changes} changes"], options)
