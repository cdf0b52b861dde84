"""`restore FOLDER`: a backup in the place of the database and the list files, also after a crash."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import CommandParser

from core.commands import PortalCommand
from core.errors import RefusedError
from portal.backup import restore_backup
from ratings.archives import restore_files


class Command(PortalCommand):
    # Some checks ask the database, which may be damaged.
    requires_system_checks: list[str] = []
    help = (
        "Restore a backup and replace the current database. Stop the portal first. Check with "
        "verify_list and verify_log."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("folder", type=Path, help="folder of the backup")
        parser.add_argument(
            "--replace", action="store_true", help="confirm that the current database is replaced (required)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["replace"]:
            self.wrong_use("the current database would be replaced. Add --replace to confirm")
        try:
            to_do = restore_backup(options["folder"])
        except (RefusedError, OSError, sqlite3.Error) as error:
            self.refuse({"restored": False, "reasons": [str(error)]}, [str(error)], options)
        # The backup of an earlier release is brought up to this one.
        call_command("migrate", verbosity=0, interactive=False)
        written = [item.path for item in restore_files()]
        result = {"restored": True, "reasons": [], "to_do": to_do, "written": written}
        self.emit(
            result, [*to_do, f"{options['folder']} restored, {len(written)} files written again"], options
        )
