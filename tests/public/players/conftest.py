"""Fixtures of the pages of players."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import Player
from tests import make


@pytest.fixture
def three() -> list[Player]:
    """Return three rated players after a tournament of several rounds, one of them won by forfeit."""
    first = make.rating_list()
    players = [
        make.entry(rating_list=first, rating=rating, player__name=name).player
        for rating, name in ((1800, "Hero, Hanna"), (1900, "Strong, Stan"), (1700, "Weak, Wim"))
    ]
    pairings = [(1, 1, 2, "1-0"), (2, 3, 1, "0-1"), (3, 2, 1, "1/2"), (4, 1, 3, "0-1"), (5, 1, 2, "+-")]
    make.play_and_rate(make.tournament(name="Open of Alphaville"), players, pairings)
    make.publish("rapid", date(2026, 2, 1))
    return players
