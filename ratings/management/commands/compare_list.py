"""`compare_list rapid 2026-02-01 FILE`: a published list beside FIDE's own of that date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day, operator_name
from core.errors import RefusedError
from ratings.choices import ListKind
from ratings.comparison import compare_list, public_result
from ratings.models import RatingList

EMPTY: dict[str, Any] = {"equal": 0, "different": [], "only_here": [], "only_there": []}
MAX_PRINTED = 200


class Command(PortalCommand):
    help = (
        "Compare a published list with the FIDE list of the same date (TXT or XML, uncompressed, .gz or "
        ".zip)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=ListKind.values, help="rating type of the list")
        parser.add_argument("date", type=iso_day, help="date of the list, for example 2026-02-01")
        parser.add_argument("file", type=Path, help="file of the FIDE list")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            path.open("rb").close()
        except OSError as error:
            self.wrong_use(f"{path} cannot be read: {error.strerror}")
        rating_list = RatingList.objects.filter(kind=options["kind"], date=options["date"]).first()
        if rating_list is None:
            reasons = [f"there is no {options['kind']} list of {options['date'].isoformat()}"]
            self.refuse({**EMPTY, "reasons": reasons}, reasons, options)
        try:
            made = compare_list(
                rating_list, path, file_name=path.name, by=None, at=timezone.now(), by_name=operator_name()
            )
        except RefusedError as error:
            self.refuse_as(error, EMPTY, options)
        result = public_result(made)
        self.emit(result, _lines(result), options)


def _lines(result: dict[str, Any]) -> Iterator[str]:
    counts = {name: len(result[name]) for name in ("different", "only_here", "only_there")}
    yield (
        f"{result['equal']} equal, {counts['different']} differences, {counts['only_here']} only here, "
        f"{counts['only_there']} only there"
    )
    rows = [
        *(
            f"{row['fide_id']} {row['name']}: {row['field']} {row['here']} here, {row['there']} there. {row['reason']}"
            for row in result["different"]
        ),
        *(
            f"{row['fide_id']} {row['name']}: {label}. {row['reason']}"
            for name, label in (("only_here", "only here"), ("only_there", "only there"))
            for row in result[name]
        ),
    ]
    yield from rows[:MAX_PRINTED]
    if len(rows) > MAX_PRINTED:
        yield f"... and {len(rows) - MAX_PRINTED} more. Use --json to print all"
