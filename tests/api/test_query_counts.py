"""The resources of the API make no more queries with three rows than with one, and 12 at most."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Membership
from tests import make
from tests.api.conftest import ROOT
from tests.growth import find_growing, pages_of

ADDRESSES = (
    "/",
    "/federations",
    "/federations/SUI/history",
    "/arbiters?federation=SUI",
    "/lists",
    "/lists/rapid/2026-02-01",
    "/lists/rapid/2026-02-01/entries",
    "/lists/rapid/2026-02-01/entries?club=SC Alpha",
    "/players?club=SC Alpha&federation=SUI",
    "/players?q=player",
    "/players/5001",
    "/players/5001/history",
    "/players/5001/calculations/rapid/2026-02-01",
    "/games?player=5001",
    "/games?since=2026-01-01",
    "/tournaments",
    "/tournaments/SUI-A1",
    "/tournaments/SUI-A1/participants",
    "/publications",
    "/publications/rapid-2026-01-01/changes",
    "/reasons",
    "/rules",
)


def filled(size: int) -> None:
    """Create `size` tournaments, lists, and opponents per player."""
    players = [
        make.entry(player=make.player(fide_id=5001 + number, name=f"Player, P{number}")).player
        for number in range(size + 1)
    ]
    for player in players:
        Membership.objects.create(
            player=player, federation=player.federation, club="SC Alpha", since=date(2026, 1, 1)
        )
    for number in range(size):
        tournament = make.tournament(event_id=f"SUI-A{number + 1}", start=date(2026, 1, 10 + 2 * number))
        make.play_and_rate(tournament, players, make.round_robin(size + 1))
    make.publish_after(tournament)
    for number in range(size - 1):
        make.publish("rapid", date(2026, 3 + number, 1))


@pytest.mark.slow
@pytest.mark.django_db
def test_number_of_queries_does_not_grow(client: Client) -> None:
    assert find_growing(filled, pages_of(client, *(f"{ROOT}{address}" for address in ADDRESSES))) == {}
