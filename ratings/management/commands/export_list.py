"""`export_list rapid 2026-02-01 --format txt -o FILE`: the published file of a list."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand, iso_day
from ratings.choices import FileFormat, ListKind
from ratings.models import RatingList
from ratings.services.export import export_bytes


class Command(PortalCommand):
    help = "Export a published or imported list as TXT or XML in the FIDE format, or as CSV or JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=ListKind.values, help="rating type of the list")
        parser.add_argument("date", type=iso_day, help="date of the list, for example 2026-02-01")
        parser.add_argument(
            "--format", choices=FileFormat.values, default=FileFormat.JSON, help="file format (default: json)"
        )
        parser.add_argument("-o", "--output", type=Path, help="output file (default: standard output)")

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = RatingList.objects.filter(kind=options["kind"], date=options["date"]).first()
        if rating_list is None:
            reason = f"there is no {options['kind']} list of {options['date'].isoformat()}"
            self.refuse({"exported": False, "reasons": [reason]}, [reason], options)
        output: Path | None = options["output"]
        if output is None:
            self._to_standard_output(rating_list, options["format"])
            return
        size = self._to_file(rating_list, options["format"], output)
        result = {"exported": True, "file": str(output), "size": size, "reasons": []}
        self.emit(result, [f"{output}: {size} bytes"], options)

    def _to_standard_output(self, rating_list: RatingList, file_format: str) -> None:
        for part in export_bytes(rating_list, file_format):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()

    def _to_file(self, rating_list: RatingList, file_format: str, output: Path) -> int:
        """Write beside the target first, so that an interrupted export leaves no half file."""
        draft = output.with_name(f".{output.name}.part")
        try:
            with draft.open("wb") as target:
                size = sum(target.write(part) for part in export_bytes(rating_list, file_format))
            draft.replace(output)
        except OSError as error:
            draft.unlink(missing_ok=True)
            self.wrong_use(f"{output} cannot be written: {error.strerror}")
        return size
