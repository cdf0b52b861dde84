"""`publish_lists 2026-02-01 [--explain CODE "reason"]...`: publish the rapid and the blitz list of a month.

Figures out of bounds stop a list until each is explained (D-134): they are printed with their codes, and the command
ends with 1.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day, operator_name
from core.errors import RefusedError
from ratings.publish.judging import StoppedError
from ratings.publish.prospect import prospect_of
from ratings.publish.publish import Publication, StoppedListsError, publish_lists


class Command(PortalCommand):
    help = "Publish the rapid and blitz lists of a month. Lists that are already published do not change."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("date", type=iso_day, help="first of the month, for example 2026-02-01")
        parser.add_argument(
            "--explain",
            nargs=2,
            action="append",
            default=[],
            metavar=("CODE", "REASON"),
            help="why a figure that stopped a list is right, repeated for each figure",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        warnings = prospect_of(options["date"], today=now.date()).warnings
        given = {code: reason.strip() for code, reason in options["explain"]}
        if not all(given.values()):
            self.wrong_use("--explain needs a reason")
        try:
            publications = publish_lists(
                options["date"], by=None, by_name=operator_name(), at=now, explanations=given
            )
        except StoppedListsError as error:
            stops = [row for stopped in error.stopped for row in _stops(stopped)]
            published = [_row(publication) for publication in error.published]
            self.refuse_as(error, {"published": published, "warnings": warnings, "stops": stops}, options)
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


def _stops(stopped: StoppedError) -> list[dict[str, Any]]:
    """Return what stops a list: figures that wait for an explanation, and what cannot be explained."""
    named: dict[str, Any] = {"kind": stopped.kind, "date": stopped.list_date.isoformat()}
    figures = [
        named
        | {
            "code": stop.code,
            "unit": stop.unit.value,
            "value": stop.value,
            "usual": stop.usual,
            "low": stop.low,
            "high": stop.high,
            "tournaments": list(stop.events),
            "players": [
                {"fide_id": one.player_id, "name": one.name, "before": one.before, "now": one.now}
                for one in stop.players
            ],
        }
        for stop in stopped.open_stops
    ]
    differences = [named | {"code": "second-engine", "difference": list(one)} for one in stopped.differences]
    return [*figures, *differences]


def _line(publication: Publication) -> str:
    rating_list = publication.rating_list
    done = "published" if publication.is_new else "already published"
    return f"{rating_list.kind} {rating_list.date.isoformat()} {done}: {rating_list.listed} players"
