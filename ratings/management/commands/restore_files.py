"""`restore_files`: write list files again that the storage has lost."""

from __future__ import annotations

from typing import Any

from core.commands import PortalCommand
from ratings.archives import restore_files


class Command(PortalCommand):
    help = "Restore missing or changed list files from the database."

    def handle(self, *args: Any, **options: Any) -> None:
        done = list(restore_files())
        written = [item.path for item in done if item.is_right]
        wrong = [
            f"{item.path}: the entries in the database do not match the published file"
            for item in done
            if not item.is_right
        ]
        if wrong:
            self.refuse({"written": written, "reasons": wrong}, wrong, options)
        self.emit({"written": written, "reasons": []}, [*written, f"{len(written)} files written"], options)
