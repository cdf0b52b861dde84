"""What tests of arenas share: the three arenas, members, and games an hour apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arenas.models import Arena
from tests.arenas.played import enrol


@pytest.fixture
def foa(db: None) -> Arena:
    return Arena.objects.get(slug="foa-rbb")


@pytest.fixture
def chess_online(db: None) -> Arena:
    return Arena.objects.get(slug="chess-online")


@pytest.fixture
def flyordie(db: None) -> Arena:
    """Return the arena with four members who have not played."""
    arena = Arena.objects.get(slug="flyordie")
    enrol(arena, "ada", "ben", "cyd", "dan")
    return arena


@pytest.fixture
def rated(foa: Arena) -> Callable[..., Arena]:
    """Return a function that makes full members of `foa-rbb` whose ratings come from rapid and blitz lists."""
    from tests.factories import ListEntryFactory, PlayerFactory, RatingListFactory

    def make(**ratings: int | None) -> Arena:
        for kind in ("rapid", "blitz"):
            RatingListFactory(kind=kind)
        for number, (handle, rating) in enumerate(ratings.items(), start=1):
            player = PlayerFactory(fide_id=1000 + number)
            for kind in ("rapid", "blitz") if rating else ():
                ListEntryFactory(rating_list=RatingListFactory(kind=kind), player=player, rating=rating)
            enrol(foa, handle, fide_id=player.fide_id)
        return foa

    return make
