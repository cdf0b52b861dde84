"""`adjust_list rapid 2026-12-01 --below 2000 --share 0.4 ...`: an adjustment of a whole list (D-133)."""

from __future__ import annotations

from argparse import ArgumentTypeError
from fractions import Fraction
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.acts import Act
from core.commands import PortalCommand, iso_day, operator_name
from core.errors import RefusedError
from ratings.adjust import Shown, confirm, prepare, refuse_preparing, show
from ratings.choices import ListKind
from ratings.models import ListAdjustment
from ratings.systems.otb.adjustment import Adjustment


def fraction(text: str) -> Fraction:
    """Return the exact share of an argument, a decimal or a fraction."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError) as error:
        raise ArgumentTypeError(f"{text!r} is not a share. Use the form 0.4 or 2/5") from error


class Command(PortalCommand):
    help = "Adjust all ratings of a list that is not published yet by a formula: share x (limit - rating)."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("kind", choices=ListKind.values, help="rating type of the list")
        parser.add_argument("date", type=iso_day, help="date of the list, for example 2026-12-01")
        side = parser.add_mutually_exclusive_group(required=True)
        side.add_argument("--below", type=int, metavar="LIMIT", help="adjust the ratings below this limit")
        side.add_argument("--above", type=int, metavar="LIMIT", help="adjust the ratings above this limit")
        parser.add_argument(
            "--share", type=fraction, required=True, help="share of the difference, 0.4 or 2/5"
        )
        least = "least rating that an adjusted player has"
        parser.add_argument("--at-least", type=int, metavar="RATING", help=least)
        parser.add_argument("--reason", default="", help="reason (public)")
        reference = "reference of the decision, for example FIDE Council 2026/4"
        parser.add_argument("--reference", default="", help=reference)
        who = "email address of the second person, FIDE staff, who confirms the adjustment"
        parser.add_argument("--confirmed-by", default="", metavar="EMAIL", help=who)
        parser.add_argument("--dry-run", action="store_true", help="show the bands, enter nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        kind, day = options["kind"], options["date"]
        is_above = options["above"] is not None
        limit = options["above"] if is_above else options["below"]
        formula = Adjustment(limit, options["share"], is_above, options["at_least"])
        result = {"entered": False, "confirmed": False, "kind": kind, "date": day.isoformat()}
        result |= {"formula": formula.as_row()}
        try:
            refuse_preparing(kind, day, formula, reason=options["reason"], reference=options["reference"])
            shown = show(kind, day, formula)
            if not options["dry_run"]:
                made = self._enter(formula, options)
                result |= {"entered": True, "confirmed": made.confirmed_at is not None}
        except RefusedError as error:
            self.refuse_as(error, {**result, "bands": []}, options)
        self.emit({**result, **_as_json(shown)}, self._lines(result, shown), options)

    def _enter(self, formula: Adjustment, options: dict[str, Any]) -> ListAdjustment:
        second = self.user_with(options["confirmed_by"]) if options["confirmed_by"] else None
        act, name = Act(None, timezone.now(), options["reason"]), operator_name()
        made = prepare(
            options["kind"], options["date"], formula, act, reference=options["reference"], by_name=name
        )
        waits = second is not None and made.confirmed_at is None
        return confirm(made, act._replace(by=second)) if waits else made

    def _lines(self, result: dict[str, Any], shown: Shown) -> list[str]:
        name = f"{result['kind']} {result['date']}"
        lines = [
            f"  {band.low} to {band.high}: {band.players} players, {float(band.mean):+.1f} on average, "
            f"for example {band.example} {band.name}: {band.before} -> {band.after}"
            for band in shown.bands
        ]
        basis = f"by the ratings of {shown.basis.date.isoformat()}" if shown.basis else "no list before"
        lines.insert(0, f"{name}: {shown.players} players, {shown.points:+d} points, {basis}")
        if not result["entered"]:
            return [*lines, "nothing was changed"]
        if result["confirmed"]:
            return [*lines, f"{name}: the list will be adjusted"]
        return [
            *lines,
            f"{name}: entered. The list is adjusted once another member of FIDE staff confirms it",
        ]


def _as_json(shown: Shown) -> dict[str, Any]:
    return {
        "basis": shown.basis.date.isoformat() if shown.basis else None,
        "players": shown.players,
        "points": shown.points,
        "under_floor": shown.leaving,
        "bands": [
            {
                "from": band.low,
                "to": band.high,
                "players": band.players,
                "points": band.points,
                "example": {
                    "fide_id": band.example,
                    "name": band.name,
                    "before": band.before,
                    "after": band.after,
                },
            }
            for band in shown.bands
        ],
    }
