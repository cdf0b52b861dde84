"""`demo`: fill an empty portal with an invented federation for a demonstration."""

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
from ratings.next_list import update_next_lists
from tournaments.towns import import_towns


class Command(PortalCommand):
    help = "Fill an empty portal with demo data: players, rating lists, tournaments and accounts."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--if-empty", action="store_true", help="do nothing if the portal already has data"
        )
        parser.add_argument(
            "--today", type=iso_day, help="reference date, for example 2026-11-21 (default: today)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_empty():
            reason = "the portal already has data"
            if not options["if_empty"]:
                self.refuse({"made": False, "reasons": [reason]}, [reason], options)
            self.emit(
                {"made": False, "reasons": [reason]}, [f"Demo data was not created: {reason}."], options
            )
            return
        if not settings.DEMO:
            reason = "PORTAL_DEMO is off. Set PORTAL_DEMO=1, only on a test portal"
            self.refuse({"made": False, "reasons": [reason]}, [reason], options)
        self._make(options)

    def _make(self, options: dict[str, Any]) -> None:
        now = timezone.now()
        today: date = options["today"] or now.date()
        at = now if today == now.date() else noon(today)
        if not options["json"]:
            self.stdout.write("Creating demo data, about 30 seconds. Press Ctrl-C to cancel without changes.")
        accounts = make_world(today=today, at=at, tell=lambda text: self._tell(text, options))
        import_towns()
        # The schedule would do this within minutes, but after a command no worker may run.
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
