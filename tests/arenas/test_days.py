"""The end of a day: the reduction of `flyordie` and the floor of `chess-online`, once and never twice."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from arenas.models import Arena, Change
from arenas.services.days import end_arena_day, end_yesterday
from tests.arenas.played import AT, enrol, game, ratings, record

pytestmark = pytest.mark.django_db

FIRST = date(2026, 1, 10)


@pytest.fixture
def strong(flyordie: Arena) -> Arena:
    """Return `flyordie` after a game on the 10th that left ada with 2016 and ben with 1984."""
    for handle in ("ada", "ben"):
        rating = flyordie.members.get(handle=handle).ratings.get()
        rating.state |= {"rating": 2000, "games": 20}
        rating.hundredths, rating.games = 2000_00, 20
        rating.save()
    record(flyordie, game(1, "ada", "ben", "1-0"))
    return flyordie


def test_day_takes_the_square_over_125000_rounded_up(strong: Arena) -> None:
    assert end_arena_day(strong, FIRST, at=AT) == 2

    assert ratings(strong) == {"ada": "1983", "ben": "1952", "cyd": "0", "dan": "0"}


def test_same_day_twice_takes_once(strong: Arena) -> None:
    end_arena_day(strong, FIRST, at=AT)

    assert end_arena_day(strong, FIRST, at=AT) == 0
    assert ratings(strong)["ada"] == "1983"


def test_missed_days_are_made_up_once_and_each_has_its_change(strong: Arena) -> None:
    last = FIRST + timedelta(days=2)
    assert end_arena_day(strong, last, at=AT) == 6
    made_up = ratings(strong)
    assert end_arena_day(strong, last - timedelta(days=1), at=AT) == 0
    assert ratings(strong) == made_up

    rows = Change.objects.filter(cause="day", rating__member__handle="ada").order_by("number")
    assert list(rows.values_list("effective_at", "before", "after")) == [
        (datetime(2026, 1, 11, tzinfo=UTC), 2016_00, 1983_00),
        (datetime(2026, 1, 12, tzinfo=UTC), 1983_00, 1951_00),
        (datetime(2026, 1, 13, tzinfo=UTC), 1951_00, 1920_00),
    ]


def test_day_by_day_gives_what_making_up_gives(strong: Arena) -> None:
    for days in range(3):
        end_arena_day(strong, FIRST + timedelta(days=days), at=AT)

    assert ratings(strong)["ada"] == "1920"


def test_day_that_was_missed_counts_the_rating_at_its_end(strong: Arena) -> None:
    """2016 squared gives 33 for the 10th; the game of the 11th was played before that was taken off."""
    record(strong, game(1, "ada", "ben", "1-0", id="next", played_at="2026-01-11T18:00:00Z"))
    before = int(str(ratings(strong)["ada"]))

    end_arena_day(strong, FIRST, at=AT)

    assert int(str(ratings(strong)["ada"])) == before - 33


def test_game_of_a_day_that_is_done_is_late(strong: Arena) -> None:
    end_arena_day(strong, FIRST, at=AT)

    late = record(strong, game(2, "ada", "cyd", "1-0"))[0].game
    punctual = record(strong, game(3, "ada", "cyd", "1-0", played_at="2026-01-11T00:00:00Z"))[0].game

    assert late is not None
    assert punctual is not None
    assert (late.is_late, punctual.is_late) == (True, False)


def test_floor_falls_after_90_days_near_it_d_52(chess_online: Arena) -> None:
    enrol(chess_online, "ada", "ben")
    rating = chess_online.members.get(handle="ada").ratings.get()
    rating.state |= {"rating": 1420, "games": 30, "highest": 1600, "near_since": "2026-01-10"}
    rating.hundredths, rating.games = 1420_00, 30
    rating.save()

    assert end_arena_day(chess_online, date(2026, 4, 9), at=AT) == 0
    assert end_arena_day(chess_online, date(2026, 4, 10), at=AT) == 1

    change = Change.objects.get()
    assert [step["key"] for step in change.steps] == ["floor-reduced-90-days"]
    assert end_arena_day(chess_online, date(2026, 4, 11), at=AT) == 0


def test_beat_ends_yesterday_in_every_arena(strong: Arena) -> None:
    end_yesterday(at=datetime(2026, 1, 11, 0, 30, tzinfo=UTC))

    assert ratings(strong)["ada"] == "1983"
    assert set(Arena.objects.values_list("day_done", flat=True)) == {FIRST}
