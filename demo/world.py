"""The whole demonstration, made in one transaction: interrupted, it leaves the portal as empty as it was."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal

from django.db import transaction

from demo.accounts import Account, make_accounts
from demo.arenas import make_arenas
from demo.current import Present
from demo.events import month_after
from demo.history import MONTHS, History, Tell, noon, seeded_random
from demo.people import HOME, everybody, import_starting_list
from players.models import Notice, Player
from ratings.models import FeeRate
from tournaments.models import Tournament


def is_empty() -> bool:
    """Whether the portal holds nothing yet: no player and no tournament."""
    return not Player.objects.exists() and not Tournament.objects.exists()


def make_world(*, today: date, at: datetime, tell: Tell) -> list[Account]:
    """Make the demonstration as it stands on a day, and return its accounts with their passwords.

    Everything goes through the services that the pages and commands use; `tell` hears of each step. No mail goes out
    about what lies in its past.
    """
    with transaction.atomic(), _quiet():
        accounts = make_accounts()
        users = {(str(account.role), account.federation): account.user for account in accounts}
        first_month = month_after(today.replace(day=1), -MONTHS)
        people = everybody(seeded_random("people"), year=first_month.year)
        import_starting_list((person.record for person in people), on=first_month, at=noon(first_month))
        tell(f"{first_month}  starting lists imported: {len(people)} players")
        FeeRate.objects.create(
            valid_from=first_month,
            currency="EUR",
            per_tournament=Decimal("40.00"),
            per_player=Decimal("1.20"),
        )
        officer = users["officer", HOME]
        History(people, first_month, staff=users["staff", ""], officer=officer, tell=tell).run()
        tournaments = Present(people, users, today, at).run()
        tell(f"{today}  registered around today: {len(tournaments)} tournaments")
        make_arenas(today=today, at=at, tell=tell)
        Notice.objects.all().delete()
    return accounts


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out the services' log: `tell` hears of each step."""
    logging.disable(logging.INFO)
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)
