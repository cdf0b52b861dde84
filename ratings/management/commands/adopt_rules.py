"""`adopt_rules SLUG --from DAY --reason "..."`: a text of the regulations from a future (D-90) or past day (D-132)."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.acts import Act
from core.commands import PortalCommand, iso_day, operator_name
from core.errors import Refusal, RefusedError
from ratings.adoptions import adopt, refuse_adoption, standing_adoption
from ratings.late_adoption import confirm, effect_of, points_of, prepare, refuse_late, standing_late
from ratings.models import Adoption
from ratings.systems.registry import rules_named
from ratings.text_trials import lists_of, published_months, tried_on

PRINTED = ("kind", "date", "players", "games", "differences")


def month(text: str) -> date:
    """Return the date of the lists of a month, written 2026-02-01 or 2026-02."""
    day = iso_day(f"{text}-01" if re.fullmatch(r"\d{4}-\d\d", text) else text)
    if day.day != 1:
        raise ArgumentTypeError(f"{text!r} is not the date of a list. Use the form 2026-02-01")
    return day


class Command(PortalCommand):
    help = "Adopt a version of the regulations from a date, or preview its effect on published lists."

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
            nargs="*",
            type=month,
            metavar="MONTH",
            help="preview the effect on these lists, or on all, adopt nothing (for example 2026-01-01 2026-02-01)",
        )
        who = "email address of the second person, FIDE staff, who confirms an adoption from a past date"
        parser.add_argument("--confirmed-by", default="", metavar="EMAIL", help=who)

    def handle(self, *args: Any, **options: Any) -> None:
        result = {"adopted": False, "text": options["slug"], "from": options["first_day"].isoformat()}
        months: list[dict[str, Any]] = []
        is_dry_run = options["dry_run"] is not None
        try:
            if options["first_day"] <= timezone.now().date() and self._standing(options) is None:
                months = self._late(result, options, is_dry_run=is_dry_run)
            elif is_dry_run:
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

    def _standing(self, options: dict[str, Any]) -> Adoption | None:
        """Return the adoption that is there already: a past day is then nothing new."""
        found = standing_adoption(options["slug"], options["first_day"])
        return None if found is None or hasattr(found, "late") else found

    def _late(
        self, result: dict[str, Any], options: dict[str, Any], *, is_dry_run: bool
    ) -> list[dict[str, Any]]:
        """Adopt a text from a past day, or show what that does; the effect is that of a correction (D-132)."""
        slug, day, now = options["slug"], options["first_day"], timezone.now()
        words = {"reference": options["reference"]}
        if is_dry_run:
            refuse_late(slug, day, reason=options["reason"], on=now.date(), **words)
            rows, wanted = effect_of(slug, day).rows, {one.isoformat() for one in options["dry_run"]}
            return [_printed(row) for row in rows if not wanted or row["date"] in wanted]
        act, name = Act(None, now, options["reason"]), operator_name()
        result["already"] = standing_late(slug, day) is not None
        made = prepare(slug, day, act, by_name=name, is_at_once=True, **words)
        if options["confirmed_by"] and made.adoption is None:
            made = confirm(made, act._replace(by=self.user_with(options["confirmed_by"])))
        result |= {"adopted": made.adoption is not None, "waiting": made.adoption is None}
        return [_printed(row) for row in made.effect or ()]

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
        lists, missing = lists_of(options["dry_run"] or published_months())
        if missing:
            missing_months = [
                Refusal("month-unpublished", f"no list of {day.isoformat()} is published") for day in missing
            ]
            raise RefusedError(missing_months)
        rules = rules_named(options["slug"])
        months = [tried_on(rating_list, rules) for rating_list in lists]
        return [{name: month[name] for name in PRINTED} for month in months]

    def _lines(self, result: dict[str, Any], months: list[dict[str, Any]]) -> list[str]:
        if result["adopted"] and not months:
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
        if result["adopted"]:
            return [
                *lines,
                f"{result['text']} adopted from {result['from']}: the next lists take the differences",
            ]
        if result.get("waiting"):
            return [*lines, "entered. The text is adopted once another member of FIDE staff confirms it"]
        return [*lines, "nothing was changed"]


def _printed(row: dict[str, Any]) -> dict[str, Any]:
    """Return a list's row as it is printed, differences as points."""
    differences = [item | {"difference": points_of(item["difference"])} for item in row["differences"]]
    return row | {"points": points_of(row["points"]), "differences": differences}
