"""`retention`: remove temporary data that has had its time."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from portal.retention import removals


class Command(BaseCommand):
    help = "Remove expired sessions, texts of old mails, old files of cache and queue. Evidence is never touched."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        for removal in removals(timezone.now()):
            if not options["dry_run"]:
                removal.remove()
            self.stdout.write(f"{removal.what}: {removal.count}")
