"""`mark_federation CODE --excluded-from DAY [--until DAY]`: record an exclusion (9.1)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from players.exclusions import exclude_federation, preview_exclusion
from players.models import Federation


class Command(PortalCommand):
    help = (
        "Exclude a federation. Its players are not listed until it is readmitted (article 9.1, decision "
        "D-15)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("code", type=str.upper, help="federation code, for example FRA")
        parser.add_argument(
            "--excluded-from",
            type=iso_day,
            required=True,
            help="first day of the exclusion, for example 2026-02-01",
        )
        parser.add_argument("--until", type=iso_day, help="date of readmission, for example 2026-08-01")
        parser.add_argument("--dry-run", action="store_true", help="show the effect, change nothing")
        parser.add_argument("--reference", default="", help="reference of the decision")

    def handle(self, *args: Any, **options: Any) -> None:
        federation = Federation.objects.filter(pk=options["code"]).first()
        reason = ""
        if federation is None:
            reason = f"no federation has the code {options['code']}"
        elif options["until"] is not None and options["until"] <= options["excluded_from"]:
            reason = "the date of readmission must be after the first day of the exclusion"
        if reason or federation is None:
            self.refuse({"marked": False, "reasons": [reason]}, [reason], options)
        values = {name: options[name] for name in ("excluded_from", "until", "reference")}
        effect = preview_exclusion(federation)
        found = exclude_federation(
            federation, **values, by=None, at=timezone.now(), is_dry_run=options["dry_run"]
        )
        until = options["until"].isoformat() if options["until"] else None
        result = {
            "marked": not options["dry_run"],
            "changed": found.is_new and not options["dry_run"],
            "corrected": found.corrected,
            "listed": {kind: players.listed for kind, players in effect.items()},
            "withheld": {kind: players.withheld for kind, players in effect.items()},
            "code": federation.code,
            "excluded_from": options["excluded_from"].isoformat(),
            "until": until,
            "reasons": [],
        }
        line = f"{federation}: excluded from {result['excluded_from']} until {until or 'further notice'}"
        players = [
            f"players on the newest {kind} list: {listed} listed, {withheld} withheld"
            for kind, (listed, withheld) in effect.items()
        ]
        corrected = [
            f"players whom the next {kind} list corrects: {number}"
            for kind, number in found.corrected.items()
            if number
        ]
        self.emit(result, [line, *players, *corrected], options)
