"""`import_games ARENA FILE.jsonl`: record and rate finished games, each once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from arenas.commands import ImportCommand
from arenas.entries import read_game
from arenas.jsonl import LineFault
from arenas.services.games import KNOWN, RECORDED, REFUSED, Recorded, record_stream


class Command(ImportCommand):
    help = (
        "Import finished games of an arena; they are rated in the order of their end. A known game is left."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        arena = self.arena(options)
        lines = self.read(options["file"], read_game)
        answers = record_stream(arena, lines.entries, at=timezone.now())
        faults = [
            LineFault(number, tuple(f"{answer.id}: {reason}" for reason in answer.reasons))
            for number, answer in zip(lines.numbers, answers, strict=True)
            if answer.status == REFUSED
        ]
        counts = _counts(answers)
        told = ", ".join(f"{count} {name}" for name, count in counts.items())
        self.finish(
            {"arena": arena.slug, **counts}, f"{arena.slug}: {told}", [*lines.faults, *faults], options
        )


def _counts(answers: Sequence[Recorded]) -> dict[str, int]:
    games = [answer.game for answer in answers if answer.game and answer.status == RECORDED]
    return {
        RECORDED: len(games),
        KNOWN: sum(answer.status == KNOWN for answer in answers),
        "rated": sum(not game.unrated for game in games),
        "unrated": sum(bool(game.unrated) for game in games),
        "late": sum(game.is_late for game in games),
    }
