"""Confirmed players are told before each list what of theirs is on it, once."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import Claim, Notice
from players.services.notices import save_wanted_kinds
from ratings.services.player_mails import tell_players
from ratings.services.provisional import update_next_lists
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
    noon,
    play_and_rate,
    round_robin,
)

pytestmark = pytest.mark.django_db
CLOSING = noon(date(2026, 1, 29))


def rated_player() -> Claim:
    """Return a confirmed claim of a player with a rated tournament for the list of February."""
    players = [PlayerFactory() for _number in range(4)]
    for player in players:
        ListEntryFactory(player=player)
    play_and_rate(TournamentFactory(), players, round_robin(4))
    update_next_lists(at=CLOSING)
    return Claim.objects.create(
        player=players[0],
        user=UserFactory(),
        reason="r",
        state="confirmed",
        asked_at=CLOSING,
        decided_at=CLOSING,
    )


def test_a_player_is_told_once_from_the_closing_date_on() -> None:
    rated_player()

    early = tell_players(at=noon(date(2026, 1, 28)))
    told = tell_players(at=CLOSING)
    tell_players(at=noon(date(2026, 1, 30)))

    notice = Notice.objects.get(kind="next-list")
    assert (early, told) == (0, 1)
    assert "rapid: 1 tournament, 1800 → 1800 (0.00)" in notice.text


def test_a_player_turns_the_emails_off() -> None:
    claim = rated_player()
    save_wanted_kinds(claim.user, wanted=[])

    assert tell_players(at=CLOSING) == 0
