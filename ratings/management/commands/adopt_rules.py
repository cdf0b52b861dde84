"""`adopt_rules SLUG --from DAY --reason "..."`: a text of the regulations from a future day on (D-90)."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day, operator_name
from core.errors import Refusal, RefusedError
from ratings.services.adoptions import adopt, refuse_adoption, standing_adoption
from ratings.services.text_trials import lists_of, tried_on
from ratings.systems.registry import rules_named

PRINTED = ("kind", "date", "players", "games", "differences")


def month(text: str) -> date:
    """Return the date of the lists of a month, written 2026-02-01 or 2026-02."""
    day = iso_day(f"{text}-01" if re.fullmatch(r"\d{4}-\d\d", text) else text)
    if day.day != 1:
        raise ArgumentTypeError(f"{text!r} is not the date of a list. Use the form 2026-02-01")
    return day


class Command(PortalCommand):
    help = "Adopt a version of the regulations from a future date, or preview its effect on published lists."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", help="name of the text, for example fide-rapid-blitz-2024-12")
        day = "first day on which the text applies, for example 2027-01-01"
        parser.add_argument("--from", dest="first_day", type=iso_day, required=True, metavar="DAY", help=day)
        parser.add_argument("--reason", default="", help="reason (public)")
        parser.add_argument(
            "--reference", default="", help=("reference of the decision, for example FIDE Council 2026/4")
        )
        parser.add_argument(
            "--dry-run",
            nargs="+",
            type=month,
            default=[],
            metavar="MONTH",
            help="preview the effect on these lists, adopt nothing (for example 2026-01-01 2026-02-01)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        result = {"adopted": False, "text": options["slug"], "from": options["first_day"].isoformat()}
        months: list[dict[str, Any]] = []
        try:
            if options["dry_run"]:
                refuse_adoption(
                    options["slug"],
                    first_day=options["first_day"],
                    reason=options["reason"],
                    on=timezone.now().date(),
                )
                months = self._try_text(result, options)
            else:
                result["already"] = standing_adoption(options["slug"], options["first_day"]) is not None
                self._adopt(options)
                result["adopted"] = True
        except RefusedError as error:
            self.refuse_as(error, {**result, "months": []}, options)
        self.emit({**result, "months": months}, self._lines(result, months), options)

    def _adopt(self, options: dict[str, Any]) -> None:
        adopt(
            options["slug"],
            first_day=options["first_day"],
            reason=options["reason"],
            reference=options["reference"],
            by=None,
            by_name=operator_name(),
            at=timezone.now(),
        )

    def _try_text(self, result: dict[str, Any], options: dict[str, Any]) -> list[dict[str, Any]]:
        lists, missing = lists_of(options["dry_run"])
        if missing:
            missing_months = [
                Refusal("month-unpublished", f"no list of {day.isoformat()} is published") for day in missing
            ]
            raise RefusedError(missing_months)
        rules = rules_named(options["slug"])
        months = [tried_on(rating_list, rules) for rating_list in lists]
        return [{name: month[name] for name in PRINTED} for month in months]

    def _lines(self, result: dict[str, Any], months: list[dict[str, Any]]) -> list[str]:
        if result["adopted"]:
            already = " already" if result["already"] else ""
            return [f"{result['text']} adopted{already} from {result['from']}"]
        lines = []
        for row in months:
            lines.append(
                f"{row['kind']} {row['date']}: {row['players']} players, {row['games']} games differ"
            )
            for item in row["differences"]:
                before, after = (item[side] or "unrated" for side in ("before", "after"))
                lines.append(f"  {item['fide_id']} {item['name']}: {before} -> {after}")
        return [*lines, "nothing was changed"]
