"""`import_games ARENA FILE.jsonl`: record and rate finished games, each once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone
from rich.progress import MofNCompleteColumn

from arenas.commands import ImportCommand, LineFault
from arenas.entries import read_game
from arenas.games import KNOWN, RECORDED, REFUSED, OnRecorded, Recorded, record_stream
from core.commands import progress_bar


class Command(ImportCommand):
    help = (
        "Import finished games of an arena and rate them in the order of their end. Known games are skipped."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        arena = self.arena(options)
        entries, faults = self.read(options["file"], read_game)
        numbers, counts = [*entries], dict.fromkeys((RECORDED, KNOWN, "rated", "unrated", "late"), 0)

        def count(place: int, answer: Recorded) -> None:
            if answer.status == REFUSED:
                reasons = tuple(f"{answer.id}: {reason}" for reason in answer.reasons)
                faults.append(LineFault(numbers[place], reasons))
            else:
                counts[answer.status] += 1
            if answer.status == RECORDED and answer.game:
                counts["unrated" if answer.game.unrated else "rated"] += 1
                counts["late"] += answer.game.is_late

        with _show_progress(count, of=len(entries)) as on_recorded:
            record_stream(arena, [*entries.values()], at=timezone.now(), on_recorded=on_recorded)
        counted = ", ".join(f"{number} {name}" for name, number in counts.items())
        self.finish({"arena": arena.slug, **counts}, f"{arena.slug}: {counted}", faults, options)


@contextmanager
def _show_progress(on_recorded: OnRecorded, *, of: int) -> Iterator[OnRecorded]:
    """Yield the on_recorded, or where a terminal is looked at one that also shows how many games are recorded."""
    with progress_bar(MofNCompleteColumn()) as bar:
        if bar is None:
            yield on_recorded
            return
        task = bar.add_task("games", total=of)

        def record_and_advance(place: int, answer: Recorded) -> None:
            on_recorded(place, answer)
            bar.advance(task)

        yield record_and_advance
