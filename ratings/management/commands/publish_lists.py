"""`publish_lists 2026-02-01`: publish the rapid and the blitz list of a month."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day, operator_name
from core.errors import RefusedError
from ratings.services.publication.prospect import prospect_of
from ratings.services.publication.publish import Publication, publish_lists


class Command(PortalCommand):
    help = "Publish the rapid and blitz lists of a month. Lists that are already published do not change."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("date", type=iso_day, help="first of the month, for example 2026-02-01")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        warnings = prospect_of(options["date"], today=now.date()).warnings
        try:
            publications = publish_lists(options["date"], by=None, by_name=operator_name(), at=now)
        except RefusedError as error:
            self.refuse_as(error, {"published": [], "warnings": []}, options)
        self.warn(warnings)
        rows = [_row(publication) for publication in publications]
        self.emit({"published": rows, "reasons": [], "warnings": warnings}, map(_line, publications), options)


def _row(publication: Publication) -> dict[str, Any]:
    rating_list = publication.rating_list
    return {
        "kind": rating_list.kind,
        "date": rating_list.date.isoformat(),
        "listed": rating_list.listed,
        "new": publication.is_new,
        "manifest_sha256": rating_list.manifest_sha256,
    }


def _line(publication: Publication) -> str:
    rating_list = publication.rating_list
    done = "published" if publication.is_new else "already published"
    return f"{rating_list.kind} {rating_list.date.isoformat()} {done}: {rating_list.listed} players"
