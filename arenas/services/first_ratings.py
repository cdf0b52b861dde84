"""First ratings from the FIDE lists in force on joining (FOA 3.4, 3.5)."""

from __future__ import annotations

from collections.abc import Iterable

from arenas.choices import Cause, RatingSystem
from arenas.models import Member
from arenas.queries.first_ratings import ListsInForce
from arenas.services.ledger import Ledger, start_of
from ratings.choices import ListKind
from ratings.systems import foa_rbb


def give_first_ratings(ledger: Ledger, members: Iterable[Member], lists: ListsInForce) -> None:
    """Give new members of an arena of `foa-rbb` their first ratings; other systems begin without lists.

    The list of the category's own kind that is in force counts as taken in: its change is in the rating (D-43).
    """
    if ledger.arena.system != RatingSystem.FOA_RBB:
        return
    members = list(members)
    ratings = lists.ratings(members)
    for member in members:
        for category in foa_rbb.CATEGORIES:
            own_kind = category if category in ListKind.values else None
            list_date = lists.date_of(own_kind, member.joined) if own_kind else None
            outcome = foa_rbb.first_state(category, ratings.get(member.pk, {}), list_date=list_date)
            seat = ledger.seat(member.pk, category)
            ledger.move(seat, outcome, Cause.FIRST, on=start_of(member.joined))
