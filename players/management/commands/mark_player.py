"""`mark_player FIDE_ID --died-on DAY`: record a death (9.2)."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from core.commands import PortalCommand, iso_day
from players.models import Player
from players.services.standing import mark_deceased


class Command(PortalCommand):
    help = "Record the death of a player, who leaves the lists with the next one (9.2)."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("fide_id", type=int)
        parser.add_argument("--died-on", type=iso_day, required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        player = Player.objects.filter(pk=options["fide_id"]).first()
        if player is None:
            reason = f"no player has the FIDE ID {options['fide_id']}"
            self.refuse({"marked": False, "reasons": [reason]}, [reason], options)
        died_on = options["died_on"]
        changed = mark_deceased(player, died_on=died_on)
        result = {
            "marked": True,
            "changed": changed,
            "fide_id": player.fide_id,
            "died_on": died_on.isoformat(),
            "reasons": [],
        }
        self.emit(result, [f"{player}: died on {died_on.isoformat()}"], options)
