"""The pool of an unrated player: 26 months, five games, a first event without points (6.1.4, 7.2, D-6 to D-9)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from ratings.systems.fide_rapid_blitz_2024 import RULES
from ratings.systems.otb.period import Period, PeriodResult, calculate, first_rating
from ratings.systems.otb.rules import pool_of
from ratings.systems.otb.values import Event, PoolShare
from tests.ratings.systems.builders import DRAW, LOSS, WIN, event, share, standard

APRIL = date(2026, 4, 1)
MARCH_7 = date(2026, 3, 7)
OLD_AND_NEW = ("fide-rapid-blitz-2022", "fide-rapid-blitz-2024")


def listed(events: Sequence[Event], pool: Sequence[PoolShare] = (), on: date = APRIL) -> PeriodResult:
    """Return what a list makes of an unrated player."""
    return calculate(Period(on, events=tuple(events), pool=tuple(pool)))


@pytest.mark.parametrize(
    ("list_date", "first"),
    [
        (date(2026, 4, 1), date(2024, 2, 1)),
        (date(2026, 1, 1), date(2023, 11, 1)),
        (date(2026, 2, 1), date(2023, 12, 1)),
        (date(2026, 3, 1), date(2024, 1, 1)),
        (date(2024, 2, 1), date(2021, 12, 1)),
    ],
)
def test_6_1_4_first_of_the_26_months(list_date: date, first: date) -> None:
    assert RULES.first_pool_month(list_date) == first


@pytest.mark.parametrize(
    ("start", "is_in"), [(date(2024, 1, 31), False), (date(2024, 2, 1), True), (date(2026, 3, 31), True)]
)
def test_6_1_4_an_event_belongs_to_the_month_of_its_first_day(start: date, *, is_in: bool) -> None:
    old = PoolShare("1", start, date(2026, 3, 31), 6000, 4, 4)
    assert pool_of(RULES, APRIL, [old]) == ((old,) if is_in else ())


def test_6_1_4_five_games_in_one_tournament_make_a_first_rating() -> None:
    result = listed([event(MARCH_7, [(1800, WIN), (1800, DRAW), (1800, LOSS), (1800, DRAW), (1800, DRAW)])])
    assert (result.outcome, result.rating, result.games, result.completed) == ("initial-7.2.4", 1800, 5, 5)
    assert (result.closes_pool, result.initial_rules) == (True, OLD_AND_NEW[1])


def test_6_1_4_four_games_do_not() -> None:
    result = listed([event(MARCH_7, [(1800, WIN)] * 4)])
    assert (result.outcome, result.rating, result.initial, result.games) == ("pooled-6.1.4", None, None, 4)
    assert result.shares == result.pool == (share(MARCH_7, [1800] * 4, 8),)
    assert not result.closes_pool


def test_6_1_4_tournaments_of_several_lists_are_pooled() -> None:
    old = share(date(2024, 2, 1), [1700] * 4, 2)
    result = listed([event(MARCH_7, [(1800, DRAW)], event_id="2")], [old])
    # Ra = (6800 + 1800 + 3600) / 7 = 1742 6/7, p = 2.5 / 7 = .357 -> .36, dp -102.
    assert (result.rating, result.games, result.completed) == (1641, 1, 5)
    assert result.pool == (old, share(MARCH_7, [1800], 1, event_id="2"))


def test_6_1_4_lapsed_events_no_longer_count() -> None:
    lapsed = share(date(2024, 1, 31), [1700] * 4, 2)
    result = listed([event(MARCH_7, [(1800, DRAW)], event_id="2")], [lapsed])
    assert (result.outcome, result.rating, result.pool) == (
        "pooled-6.1.4",
        None,
        (share(MARCH_7, [1800], 1, event_id="2"),),
    )


def test_6_1_4_a_list_that_adds_no_game_calculates_nothing() -> None:
    old = share(date(2025, 2, 1), [1800] * 6, 6)
    result = listed([event(MARCH_7, [(None, WIN)], event_id="2")], [old])
    assert (result.outcome, result.rating, result.initial, result.games) == ("no-game-6.1.4", None, None, 0)
    assert result.shares == ()


def test_6_1_4_an_event_rated_after_its_26_months_has_lapsed_and_adds_no_game() -> None:
    pool = [share(date(2025, 2, 1), [1800] * 6, 6)]
    late = event(date(2024, 1, 31), [(1800, WIN)], event_id="2", end=date(2026, 3, 1))
    result = listed([late], pool)
    assert (result.outcome, result.rating, result.games) == ("lapsed-6.1.4", None, 0)
    assert result.pool == tuple(pool)
    (rated_event,) = result.events
    assert rated_event.participation.outcomes[0].reasons == ("lapsed-6.1.4", "pooled-6.1.4")


def test_d14_a_first_rating_under_the_floor_leaves_the_player_unrated_with_the_pool() -> None:
    events = [event(MARCH_7, [(1500, LOSS)] * 4 + [(1500, DRAW)])]
    result = listed(events)
    # Ra = 1585 5/7, p = 1.5 / 7 = .214 -> .21, dp -230.
    assert result.initial is not None
    assert (result.outcome, result.initial.rating, result.rating) == ("initial-below-floor-6.1.4", 1356, None)
    assert (result.games, result.closes_pool, result.completed) == (5, False, 0)
    assert result.pool == result.shares == (share(MARCH_7, [1500] * 5, 1),)


@pytest.mark.parametrize(
    ("total", "calculated", "rating"), [(8288, 1399, None), (8292, 1400, 1400), (8296, 1400, 1400)]
)
def test_6_1_4_a_first_rating_is_at_least_1400(total: int, calculated: int, rating: int | None) -> None:
    # Five games of the past and a draw: Ra = (total + 3600) / 8, p = 3 / 8 -> .38, dp -87; 1399.5 is rounded up.
    old = PoolShare("1", date(2026, 1, 1), date(2026, 1, 1), total - 1400, 5, 3)
    result = listed([event(MARCH_7, [(1400, DRAW)], event_id="2")], [old])
    assert result.initial is not None
    assert (result.initial.rating, result.rating) == (calculated, rating)


def test_7_2_2_zero_in_the_first_event_is_disregarded() -> None:
    result = listed([event(MARCH_7, [(1800, LOSS)] * 5)])
    (zero,) = result.events
    assert (result.outcome, result.games, result.pool, result.initial) == ("disregarded-7.2.2", 0, (), None)
    assert [share.is_disregarded for share in result.shares] == [True]
    assert zero.participation.games == 0
    assert {outcome.reasons for outcome in zero.participation.outcomes} == {
        ("disregarded-7.2.2", "pooled-6.1.4")
    }


def test_7_2_2_a_second_event_without_points_counts() -> None:
    zero = PoolShare("1", date(2026, 2, 1), date(2026, 2, 1), 9000, 5, 0, is_disregarded=True)
    result = listed([event(MARCH_7, [(1900, LOSS)] * 5, event_id="2")], [zero])
    # Ra = (9500 + 3600) / 7 = 1871 3/7, p = 1/7 -> .14, dp -309.
    assert (result.outcome, result.rating, result.completed) == ("initial-7.2.4", 1562, 5)
    assert result.pool == (share(MARCH_7, [1900] * 5, 0, event_id="2"),)


def test_d6_a_point_against_an_unrated_player_does_not_save_the_first_event() -> None:
    result = listed([event(MARCH_7, [(1800, LOSS), (None, WIN)])])
    assert (result.outcome, result.games) == ("disregarded-7.2.2", 0)


def test_d6_an_event_without_a_rated_opponent_is_not_the_first() -> None:
    events = [
        event(date(2026, 3, 1), [(None, LOSS)], event_id="1"),
        event(MARCH_7, [(1800, LOSS)] * 2, event_id="2"),
        event(date(2026, 3, 14), [(1800, LOSS)] * 5, event_id="3"),
    ]
    result = listed(events)
    assert [share.is_disregarded for share in result.shares] == [True, False]
    assert [share.event_id for share in result.shares] == ["2", "3"]
    assert (result.games, result.outcome) == (5, "initial-7.2.4")


ZERO, DRAWN = [(1800, LOSS)] * 5, [(1800, DRAW)] * 5


@pytest.mark.parametrize(
    ("zero", "other"),
    [
        # Earlier by start, by end, by id as a number.
        (("9", date(2026, 3, 1), date(2026, 3, 9)), ("1", date(2026, 3, 2), date(2026, 3, 2))),
        (("9", date(2026, 3, 1), date(2026, 3, 1)), ("1", date(2026, 3, 1), date(2026, 3, 2))),
        (("9", date(2026, 3, 1), date(2026, 3, 1)), ("10", date(2026, 3, 1), date(2026, 3, 1))),
    ],
)
def test_d6_the_first_event_is_first_by_start_end_and_id(
    zero: tuple[str, date, date], other: tuple[str, date, date]
) -> None:
    first, second = (
        event(start, games, event_id=event_id, end=end)
        for games, (event_id, start, end) in ((ZERO, zero), (DRAWN, other))
    )
    assert listed([second, first]).rating == 1800
    zero_second = event(other[1], ZERO, event_id=other[0], end=other[2])
    drawn_first = event(zero[1], DRAWN, event_id=zero[0], end=zero[2])
    # Ten games: Ra 1800, p = 3.5 / 12 = .2917 -> .29, dp -158.
    assert listed([zero_second, drawn_first]).rating == 1642


def test_d6_the_first_event_is_first_by_list_before_start() -> None:
    on_an_earlier_list = share(date(2026, 3, 20), [1800] * 5, 5)
    result = listed([event(MARCH_7, ZERO, event_id="2")], [on_an_earlier_list])
    assert (result.rating, result.completed) == (1642, 10)


def test_d6_a_lapsed_event_has_been_the_first() -> None:
    lapsed = share(date(2023, 1, 1), [1800], 1)
    result = listed([event(MARCH_7, ZERO, event_id="2")], [lapsed])
    assert (result.outcome, result.games, result.rating) == ("initial-7.2.4", 5, 1491)


def test_d8_a_mixed_pool_is_calculated_by_the_version_of_its_newest_event() -> None:
    old, new = share(date(2023, 12, 31), [1800] * 4, 8), share(date(2024, 1, 1), [1800], 2, event_id="2")
    rules, first = first_rating([new, old])
    assert (rules.slug, first.rating, first.p) == (OLD_AND_NEW[1], 1800 + 309, 86)
    rules, first = first_rating([old, share(date(2023, 12, 31), [1800], 2, event_id="2")])
    assert (rules.slug, first.rating, first.p) == (OLD_AND_NEW[0], 1900, 100)


def test_d9_a_pool_of_2022_needs_five_games_too() -> None:
    assert listed([event(date(2023, 5, 6), [(1800, DRAW)] * 4)], on=date(2023, 6, 1)).rating is None
    result = listed([event(date(2023, 5, 6), [(1800, DRAW)] * 5)], on=date(2023, 6, 1))
    assert (result.rating, result.initial_rules) == (1800, OLD_AND_NEW[0])


@pytest.mark.parametrize(("on", "rating"), [(date(2023, 12, 1), 1108), (date(2024, 1, 1), None)])
def test_d14_the_floor_for_a_first_rating_is_that_of_the_lists_date(on: date, rating: int | None) -> None:
    # 2022: Ra 1180, p .40, dp -72.
    result = listed([event(date(2023, 11, 6), [(1180, WIN)] * 2 + [(1180, LOSS)] * 3)], on=on)
    assert result.initial is not None
    assert (result.initial.rating, result.rating) == (1108, rating)


def test_7_2_a_rating_that_comes_with_a_standard_rating_empties_the_pool() -> None:
    pooled = event(date(2026, 3, 1), [(1800, WIN)] * 3, event_id="1")
    by_standard = event(MARCH_7, [(1500, WIN)], own=standard(1500), event_id="2")
    result = listed([pooled, by_standard], [share(date(2025, 1, 1), [1700], 2)])
    assert (result.outcome, result.base, result.rating) == ("first-by-standard-7.2.1", 1500, 1520)
    assert (result.games, result.completed, result.closes_pool) == (1, 1, True)
