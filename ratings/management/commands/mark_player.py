"""`mark_player FIDE_ID --died-on DAY`: record a death; `--not-dead --reason "..."` undoes it (9.2, D-74)."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from core.acts import Act
from core.commands import PortalCommand, iso_day
from core.errors import RefusedError
from players.models import Player
from ratings.amend.players import amend_player
from ratings.choices import SENTENCES
from ratings.models import CorrectionLine
from tournaments.amendments import Datum


class Command(PortalCommand):
    help = (
        "Record the death of a player, who is removed from the next list (article 9.2). Or undo it: "
        "the player returns to the next list with the previous rating and games."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("fide_id", type=int, help="FIDE ID of the player")
        mark = parser.add_mutually_exclusive_group(required=True)
        mark.add_argument(
            "--died-on",
            type=iso_day,
            help=("date of death from the year of birth to today, for example 2026-02-01"),
        )
        mark.add_argument(
            "--not-dead", action="store_true", help=("undo a recorded death (requires --reason)")
        )
        parser.add_argument("--reason", default="", help="reason (public, in the correction log)")
        parser.add_argument("--dry-run", action="store_true", help="show the effect, change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        died_on = None if options["not_dead"] else options["died_on"]
        player = Player.objects.filter(pk=options["fide_id"]).first()
        if player is None:
            reason = f"no player has FIDE ID {options['fide_id']}"
            self.refuse({"marked": False, "reasons": [reason]}, [reason], options)
        lines = self._correct(player, died_on, options)
        result = {
            "marked": not options["dry_run"],
            "changed": lines is not None,
            "fide_id": player.fide_id,
            "died_on": died_on.isoformat() if died_on else None,
            "lines": [_line(line) for line in lines or ()],
            "reasons": [],
        }
        outcome = f"died on {died_on.isoformat()}" if died_on else "not dead"
        self.emit(result, [f"{player}: {outcome}", *map(_sentence, lines or ())], options)

    def _correct(
        self, player: Player, died_on: date | None, options: dict[str, Any]
    ) -> tuple[CorrectionLine, ...] | None:
        """Return the differences for the next lists, None where the player is marked so already."""
        if player.died_on == died_on:
            return None
        try:
            reason = options["reason"] or ("" if died_on is None else SENTENCES.state("death"))
            act, death = Act(None, timezone.now(), reason), Datum(field="died_on", after=died_on)
            effect = amend_player(player, [death], act, is_dry_run=options["dry_run"])
        except RefusedError as error:
            self.refuse_as(error, {"marked": False}, options)
        return effect.lines


def _line(line: CorrectionLine) -> dict[str, Any]:
    return {
        "list": line.corrected_list.date.isoformat(),
        "rating_type": line.corrected_list.kind,
        "kind": str(line.kind),
        "difference": line.difference_hundredths,
        "games": line.games_difference,
    }


def _sentence(line: CorrectionLine) -> str:
    return f"  {line.corrected_list}  {line.kind}  {line.difference_hundredths / 100:+.2f}"
