"""`export_list rapid 2026-02-01 --format txt -o FILE`: the published file of a list."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand, iso_day
from ratings.choices import FileFormat, ListKind
from ratings.export import export_bytes
from ratings.models import RatingList


class Command(PortalCommand):
    help = "Export a published or imported list as TXT or XML in the FIDE format, or as CSV or JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=ListKind.values, help="rating type of the list")
        parser.add_argument("date", type=iso_day, help="date of the list, for example 2026-02-01")
        parser.add_argument(
            "--format", choices=FileFormat.values, default=FileFormat.JSON, help="file format (default: json)"
        )
        self.add_output(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        rating_list = RatingList.objects.filter(kind=options["kind"], date=options["date"]).first()
        if rating_list is None:
            reason = f"there is no {options['kind']} list of {options['date'].isoformat()}"
            self.refuse({"exported": False, "reasons": [reason]}, [reason], options)
        self.export(export_bytes(rating_list, options["format"]), options)
