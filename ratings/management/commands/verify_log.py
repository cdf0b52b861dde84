"""`verify_log`: check that no entry of the audit log was changed or removed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand
from players.log_chain import head, is_on_chain
from ratings.runs import check_log


class Command(PortalCommand):
    help = (
        "Verify the audit log: the hash of each entry, the chain, and the values in published "
        "manifests. With --entries and --sha256 from a manifest, check the log as of that list."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--entries", type=int, help="number of entries from the manifest")
        parser.add_argument("--sha256", default="", help="SHA-256 from the manifest")

    def handle(self, *args: Any, **options: Any) -> None:
        if (options["entries"] is None) == bool(options["sha256"]):
            self.wrong_use("Use --entries and --sha256 together, with both values from the manifest")
        problems = check_log()
        if options["sha256"] and not is_on_chain(options["entries"], options["sha256"]):
            problems.append(f"after {options['entries']} entries the log has another hash")
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
