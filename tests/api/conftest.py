"""A small published month that tests of the API read: four players on a first list, one open, the next list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from django.test import Client

from players.models import Player
from ratings.models import RatingList
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    TournamentFactory,
    play_and_rate,
    publish_after,
    round_robin,
)
from tournaments.models import Tournament

ROOT = "/api/v1"


@dataclass(frozen=True)
class Month:
    players: list[Player]
    tournament: Tournament
    first: RatingList
    second: RatingList


@pytest.fixture
def month(db: None) -> Month:
    """Return a published month: rated players 1001 to 1003, the unrated 1004, the open SUI-OPEN."""
    players = [
        PlayerFactory(fide_id=1001, name="Müller, José", title="GM", birth_year=1980),
        PlayerFactory(fide_id=1002, name="Adams, Eva", sex="F", women_title="WIM", birth_year=1990),
        PlayerFactory(fide_id=1003, name="Berg, Ole", federation__code="NOR", birth_year=2008),
        PlayerFactory(fide_id=1004, name="Neu, Nora", sex="F"),
    ]
    entries = [
        ListEntryFactory(player=player, rating=rating, women_title=player.women_title)
        for player, rating in zip(players, (1900, 1800, 1800), strict=False)
    ]
    tournament = TournamentFactory(event_id="SUI-OPEN", start=date(2026, 1, 10))
    play_and_rate(tournament, players, round_robin(4, "1-0"))
    second = publish_after(tournament)
    return Month(players, tournament, entries[0].rating_list, second)


@pytest.fixture
def get(client: Client) -> Callable[..., Any]:
    """Return a function that reads an address of the API as JSON; it asserts the status."""

    def read(address: str, query: dict[str, Any] | None = None, *, status: int = 200, **headers: str) -> Any:
        response = client.get(f"{ROOT}{address}", query or {}, headers=headers)
        assert response.status_code == status, response.content
        return response.json()

    return read
