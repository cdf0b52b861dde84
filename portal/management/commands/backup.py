"""`backup FOLDER [--keep N]`: a copy of database and list files, taken while the portal runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, operator_name
from core.errors import RefusedError
from portal.backup import make_backup, make_kept_backup


class Command(PortalCommand):
    help = (
        "Back up the database and the list files into a new folder and check the copy. The portal can "
        "keep running."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="folder for the backup")
        parser.add_argument(
            "--without-files",
            action="store_true",
            help="do not copy the list files (`restore` creates them again)",
        )
        parser.add_argument(
            "--keep",
            type=int,
            metavar="N",
            help="make a folder with the time as its name in FOLDER, and keep the newest N of these",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folder, keep = options["folder"], options["keep"]
        if keep is not None and keep < 1:
            self.wrong_use("--keep is a number from 1 on")
        given: dict[str, Any] = {
            "at": timezone.now(),
            "with_files": not options["without_files"],
            "by_name": operator_name(),
        }
        try:
            if keep:
                folder, made = make_kept_backup(folder, keep=keep, **given)
            else:
                made = make_backup(folder, **given)
        except (RefusedError, OSError) as error:
            self.refuse({"made": False, "reasons": [str(error)]}, [str(error)], options)
        lines = [
            f"{folder}: {len(made['sha256'])} files",
            f"The backup does not contain these keys. Store them elsewhere: {', '.join(made['keys'])}",
        ]
        self.emit({"made": True, "reasons": [], **made}, lines, options)
