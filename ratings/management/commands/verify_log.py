"""`verify_log`: check that no entry of the audit log was changed or removed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand
from ratings.services.watch import check_log
from tournaments.services.log_chain import head, is_on_chain


class Command(PortalCommand):
    help = (
        "Check the hash of each entry of the audit log, its chain, and the heads that published lists name. "
        "With --entries and --sha256, from the manifest of a list that you hold, check that the log was so then."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--entries", type=int, help="the number of entries that a manifest names")
        parser.add_argument("--sha256", default="", help="the hash that a manifest names")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["entries"] is None) == bool(options["sha256"]):
            self.wrong_use("--entries and --sha256 belong together: take both from the manifest")
        problems = check_log()
        if options["sha256"] and not is_on_chain(options["entries"], options["sha256"]):
            problems.append(f"after {options['entries']} entries the log had another hash")
        end = head()
        result = {
            "verified": not problems,
            "entries": end.entries,
            "sha256": end.sha256,
            "reasons": problems,
        }
        if problems:
            self.refuse(result, problems, options)
        self.emit(result, [f"{end.entries} entries: each as it was written. Head: {end.sha256}"], options)
