"""`demo`: fill an empty portal with an invented federation, to look at and try things on."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.utils import timezone

from core.commands import PortalCommand, iso_day
from demo.accounts import accounts_table
from demo.history import noon
from demo.world import is_empty, make_world
from ratings.services.provisional import update_next_lists


class Command(PortalCommand):
    help = "Fill an empty portal with an invented federation: players, lists, tournaments and accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing, without complaint, where there is data"
        )
        parser.add_argument(
            "--today", type=iso_day, help="the day to stand at, as 2026-11-21 (default: today)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_empty():
            reason = "the portal holds data already"
            if not options["if_empty"]:
                self.refuse({"made": False, "reasons": [reason]}, [reason], options)
            self.emit({"made": False, "reasons": [reason]}, [f"No demonstration is made: {reason}."], options)
            return
        if not settings.DEMO:
            reason = "PORTAL_DEMO is not on; set PORTAL_DEMO=1 on a portal that is for trying out"
            self.refuse({"made": False, "reasons": [reason]}, [reason], options)
        self._make(options)

    def _make(self, options: dict[str, Any]) -> None:
        now = timezone.now()
        today: date = options["today"] or now.date()
        at = now if today == now.date() else noon(today)
        if not options["json"]:
            self.stdout.write("Making the demonstration, about half a minute. Ctrl-C leaves nothing behind.")
        accounts = make_world(today=today, at=at, tell=lambda text: self._tell(text, options))
        update_next_lists(at=at)
        rows = [
            {"email": account.email, "password": account.password, "role": account.title}
            for account in accounts
        ]
        self.emit(
            {"made": True, "reasons": [], "accounts": rows}, ["", *accounts_table(accounts), ""], options
        )

    def _tell(self, text: str, options: dict[str, Any]) -> None:
        if not options["json"]:
            self.stdout.write(f"  {text}")
            self.stdout.flush()
