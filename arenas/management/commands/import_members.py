"""`import_members ARENA FILE.jsonl`: bring the members of an arena in, with their first ratings."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils import timezone

from arenas.commands import ImportCommand, LineFault
from arenas.entries import read_member
from arenas.members import ADDED, CHANGED, KNOWN, REFUSED, enrol_members


class Command(ImportCommand):
    help = (
        "Import members of an arena. Existing members may become full members or cease to be. "
        "Refused lines do not stop the import."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        arena = self.arena(options)
        entries, faults = self.read(options["file"], read_member)
        answers = enrol_members(arena, entries.values(), at=timezone.now())
        faults += [
            LineFault(number, (f"{answer.handle}: {answer.reason}",))
            for number, answer in zip(entries, answers, strict=True)
            if answer.status == REFUSED
        ]
        counted = Counter(answer.status for answer in answers)
        result = {"arena": arena.slug, **{status: counted[status] for status in (ADDED, CHANGED, KNOWN)}}
        summary = f"{arena.slug}: {counted[ADDED]} members added, {counted[CHANGED]} changed, {counted[KNOWN]} known"
        self.finish(result, summary, faults, options)
