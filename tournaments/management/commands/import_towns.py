"""`import_towns [FILE]`: bring the towns in by which distances to tournaments are calculated."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand
from core.errors import RefusedError, refused
from players.fide_list import FideListError
from tournaments.towns import TownImport, import_towns


class Command(PortalCommand):
    help = (
        "Import towns, for distances to tournaments: those shipped with the portal, or of a GeoNames file "
        "such as cities500.txt (uncompressed, .gz or .zip)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("file", type=Path, nargs="?", help="GeoNames file, default: the shipped towns")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path | None = options["file"]
        if path is not None:
            try:
                path.open("rb").close()
            except OSError as error:
                self.wrong_use(f"{path} cannot be read: {error.strerror}")
        begun = time.monotonic()
        try:
            done = import_towns(path)
        except FideListError as error:
            self.refuse_as(refused(error.code, str(error)), _result(TownImport(), begun), options)
        except RefusedError as error:
            self.refuse_as(error, _result(TownImport(), begun), options)
        result = _result(done, begun)
        lines = [
            f"{done.read:,} towns read, {done.new:,} new, {done.changed:,} changed, in {result['seconds']} s",
            f"tournaments with a town: {done.with_town:,}, without a town: {done.without_town:,}",
        ]
        self.emit({**result, "reasons": []}, lines, options)


def _result(done: TownImport, begun: float) -> dict[str, Any]:
    return {
        "imported": done.read > 0,
        "read": done.read,
        "new": done.new,
        "changed": done.changed,
        "tournaments_with_town": done.with_town,
        "tournaments_without_town": done.without_town,
        "seconds": round(time.monotonic() - begun, 1),
    }
