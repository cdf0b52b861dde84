"""The arenas of the demonstration: the same in every run, with data on every page."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from arenas.models import Arena, Game, Member
from demo.world import make_arenas
from tests.arenas.played import everything
from tests.factories import ListEntryFactory, PlayerFactory, RatingListFactory

pytestmark = pytest.mark.slow

TODAY = date(2026, 3, 21)
NOW = datetime(2026, 3, 21, 9, tzinfo=UTC)


@pytest.mark.django_db
def test_arenas_have_games_of_every_kind_and_are_created_once() -> None:
    rating_list = RatingListFactory(kind="rapid", date=date(2025, 12, 1))
    for number in range(30):
        ListEntryFactory(
            rating_list=rating_list, player=PlayerFactory(fide_id=5000 + number), rating=1500 + 20 * number
        )
    told: list[str] = []

    make_arenas(today=TODAY, at=NOW, tell=told.append)

    assert len(told) == 3
    assert Game.objects.count() == 660
    for arena in Arena.objects.all():
        games = arena.games
        assert (games.filter(is_late=True).exists(), games.exclude(cancelled_at=None).count()) == (True, 1)
        assert arena.lists.exists()
    unrated = set(Game.objects.exclude(unrated="").values_list("unrated", flat=True))
    assert unrated == {
        "both-unrated-3.6",
        "short-game-D-51",
        "unrated-not-full-member-2.1",
        "unrated-time-control-2.3",
    }
    assert Member.objects.filter(arena__slug="foa-rbb", player=None).exists()
    before = [everything(arena) for arena in Arena.objects.all()]
    make_arenas(today=TODAY, at=NOW, tell=told.append)
    assert [everything(arena) for arena in Arena.objects.all()] == before
