"""Cancelling a game for fair play: the game stays, and an entry of its own takes its change off."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from arenas.choices import Cause
from arenas.models import Change, Game, Member
from arenas.services.ledger import Ledger


@transaction.atomic
def cancel_game(game: Game, *, reason: str, at: datetime) -> bool:
    """Reverse a game by a visible change for each member; return False where it is cancelled already.

    Later games are not rated again: what they were rated by was shown.
    """
    ledger = Ledger(game.arena, at=at)
    ledger.lock(Member.objects.filter(pk__in=(game.white_id, game.black_id)))
    cancelled = Game.objects.filter(pk=game.pk, cancelled_at=None)
    if not cancelled.update(cancelled_at=at, cancelled_for=reason):
        return False
    changes = Change.objects.filter(game=game, cause=Cause.GAME).select_related("rating").order_by("pk")
    for change in changes:
        _reverse(ledger, change, game, at=at)
    ledger.save()
    return True


def _reverse(ledger: Ledger, change: Change, game: Game, *, at: datetime) -> None:
    seat = ledger.seat(change.rating.member_id, change.rating.category)
    before, after = (ledger.rules.state_from(row) for row in (change.state_before, change.state))
    outcome = ledger.rules.reverse_game(seat.state, before, after, at.date())
    ledger.move(seat, outcome, Cause.CANCELLED, on=at, game=game)
