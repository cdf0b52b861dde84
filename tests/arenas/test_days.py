"""The end of a day: the reduction of `flyordie` and the floor of `chess-online`, once and never twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from arenas.days import end_arena_day, end_yesterday
from arenas.models import Arena, Change
from arenas.over_the_board import adjust_arenas
from ratings.models import Calculation, RatingList
from ratings.systems.otb.period import PeriodResult
from tests import make
from tests.arenas.played import AT, enrol, game, ratings, record

pytestmark = [pytest.mark.django_db, pytest.mark.page]

FIRST = date(2026, 1, 10)
UNCHANGED = PeriodResult("unchanged", completed=0, reached_2300=False, reached_2400=False)


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


@pytest.mark.database
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
    assert rows[0].steps[0]["figures"] == {"day": "2026-01-10", "rating": 2016, "amount": 33}


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

    at = datetime(2026, 4, 12, tzinfo=UTC)
    assert end_arena_day(chess_online, date(2026, 4, 9), at=at) == 0
    assert end_arena_day(chess_online, date(2026, 4, 10), at=at) == 1

    change = Change.objects.get()
    assert [step["key"] for step in change.steps] == ["floor-reduced-90-days"]
    assert end_arena_day(chess_online, date(2026, 4, 11), at=at) == 0


def test_beat_ends_yesterday_in_every_arena(strong: Arena) -> None:
    end_yesterday(at=datetime(2026, 1, 11, 0, 30, tzinfo=UTC))

    assert ratings(strong)["ada"] == "1983"
    assert set(Arena.objects.values_list("day_done", flat=True)) == {FIRST}


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (
            {"standard": 2000, "rapid": 1900, "blitz": 1800},
            {"rapid": "1900.00", "blitz": "1800.00", "bullet": "1800.00"},
        ),
        ({"standard": 2000, "rapid": 1900}, {"rapid": "1900.00", "blitz": "1900.00", "bullet": "1900.00"}),
        ({"standard": 2000}, {"rapid": "2000.00", "blitz": "2000.00", "bullet": "2000.00"}),
        ({"blitz": 1800}, {"rapid": None, "blitz": "1800.00", "bullet": "1800.00"}),
        ({}, {"rapid": None, "blitz": None, "bullet": None}),
    ],
)
def test_first_rating_comes_from_the_first_list_that_has_one_3_4(
    foa: Arena, listed: dict[str, int], expected: dict[str, str | None]
) -> None:
    player = make.player()
    for kind, rating in listed.items():
        make.entry(rating_list=make.rating_list(kind=kind), player=player, rating=rating)

    enrol(foa, "ada", fide_id=player.fide_id)

    assert {category: ratings(foa, category)["ada"] for category in expected} == expected


def test_first_rating_comes_from_the_list_in_force_on_joining(foa: Arena) -> None:
    player = make.player()
    for month, rating in ((1, 1700), (2, 1800), (3, 1900)):
        in_month = make.rating_list(kind="rapid", date=date(2026, month, 1))
        make.entry(rating_list=in_month, player=player, rating=rating)

    for handle, joined in (("before", "2026-01-31"), ("on", "2026-02-01"), ("after", "2026-02-28")):
        enrol(foa, handle, fide_id=player.fide_id, joined=joined)

    assert ratings(foa, "rapid") == {"after": "1800.00", "on": "1800.00", "before": "1700.00"}


def _listed(
    base: int | None, change: int, *, player: int = 1001, kind: str = "rapid", **values: object
) -> RatingList:
    """Return a list of February that brings a player a change in hundredths."""
    rating_list = make.rating_list(kind=kind, date=date(2026, 2, 1), origin=values.pop("origin", "published"))
    Calculation.objects.create(
        rating_list=rating_list,
        player_id=player,
        base_rating=base,
        change_hundredths=change,
        value=UNCHANGED,
        **{"result": "change-7.3.4", **values},
    )
    return rating_list


def _over_the_board(score: str = "1-0") -> RatingList:
    """Return the rapid list of February that takes one game between the members ada and ben."""
    players = [make.PlayerFactory._meta.model.objects.get(fide_id=fide_id) for fide_id in (1001, 1002)]
    tournament = make.tournament(kind="rapid", start=date(2026, 1, 10))
    make.play_and_rate(tournament, players, [(1, 1, 2, score)])
    return make.publish_after(tournament)


@pytest.mark.database
def test_published_list_adds_the_unrounded_change_once(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1760)

    rating_list = _over_the_board()

    stored = dict(Calculation.objects.values_list("player_id", "change_hundredths"))
    assert stored == {1001: 880, 1002: -880}
    assert ratings(arena, "rapid") == {"ada": "1808.80", "ben": "1751.20"}
    assert ratings(arena, "blitz") == {"ada": "1800.00", "ben": "1760.00"}
    assert ratings(arena, "bullet") == {"ada": "1800.00", "ben": "1760.00"}
    make.publish("rapid", rating_list.date)
    adjust_arenas(rating_list, at=AT)
    assert ratings(arena, "rapid") == {"ada": "1808.80", "ben": "1751.20"}


def test_correction_lines_count(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1760)

    adjust_arenas(_listed(1800, 125, kind="blitz", correction_hundredths=-300), at=AT)

    assert ratings(arena, "blitz") == {"ada": "1798.25", "ben": "1760.00"}


@pytest.mark.parametrize("origin", ["imported", "published"])
def test_initial_rating_and_imported_list_add_nothing(rated: Callable[..., Arena], origin: str) -> None:
    arena = rated(ada=1800, ben=1760)
    base = 1800 if origin == "imported" else None

    adjust_arenas(_listed(base, 500, origin=origin, result="initial-7.2.4"), at=AT)

    assert ratings(arena, "rapid") == {"ada": "1800.00", "ben": "1760.00"}


def test_unrated_member_gets_nothing_and_is_told_so(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=None)

    adjust_arenas(_listed(1500, 500, player=1002), at=AT)

    assert ratings(arena, "rapid") == {"ada": "1800.00", "ben": None}
    change = Change.objects.get(cause="list")
    assert [step["key"] for step in change.steps] == ["adjustment-unrated-D-43"]


def test_rating_that_a_list_brings_under_100_is_lost_3_3(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=101, ben=1760)

    adjust_arenas(_listed(1400, -101), at=AT)

    assert ratings(arena, "rapid") == {"ben": "1760.00", "ada": None}


def test_adjustment_takes_effect_at_the_start_of_the_lists_day(rated: Callable[..., Arena]) -> None:
    """Also where the list comes after games of its month: those stay as they were rated."""
    arena = rated(ada=1800, ben=1760)
    record(arena, game(1, "ada", "ben", "1/2-1/2", played_at="2026-02-01T10:00:00Z"))
    _over_the_board()

    at = {
        text: ratings(arena, "rapid", at=datetime.fromisoformat(text).replace(tzinfo=UTC))["ada"]
        for text in ("2026-01-31T23:59:59", "2026-02-01", "2026-02-01T10:00:00")
    }

    assert at == {
        "2026-01-31T23:59:59": "1800.00",
        "2026-02-01": "1808.80",
        "2026-02-01T10:00:00": "1807.60",
    }
