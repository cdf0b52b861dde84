"""The floor of `chess-online` (D-52), and cancelled games."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from ratings.systems.online import chess_online
from ratings.systems.online.chess_online import NEWCOMER, ChessOnlineState
from ratings.systems.online.values import OnlineOutcome, OnlineStep, Past
from tests.ratings.systems.chess_online_games import (
    DRAW,
    LOSS,
    NOON,
    WIN,
    established,
    game,
    keys,
    near_floor,
    played,
    sentences,
)

# D-52


def test_d_52_rating_under_the_floor_is_reset_to_it() -> None:
    outcome = chess_online.rate_game(established(1405, highest=1650), established(1405), game(LOSS)).white
    assert (outcome.state.rating, outcome.state.floor) == (1400, 1400)
    assert keys(outcome.steps)[-1] == "floor-reset"


def test_d_52_floor_has_no_effect_during_the_first_20_games() -> None:
    state = ChessOnlineState(rating=900, games=19, total=19 * 900)
    twentieth = chess_online.rate_game(state, established(1300), game(LOSS)).white
    assert (twentieth.state.rating, twentieth.state.floor) == (900, 1000)
    assert keys(twentieth.steps)[-1] == "floor-without-effect-D-52"
    assert played(twentieth.state, established(900), WIN).rating == 1000


def test_d_52_highest_rating_is_the_highest_ever_shown_in_the_provisional_time_too() -> None:
    state = ChessOnlineState(games=5, total=5 * 1900)
    sixth = played(state, established(1500), WIN)
    seventh = played(sixth, established(1500), LOSS)
    assert (sixth.highest, seventh.rating, seventh.highest) == (1900, 1786, 1900)


def test_d_52_running_average_that_is_not_shown_is_no_highest_rating() -> None:
    assert played(NEWCOMER, established(2500), WIN).highest == 1200


# 90 days near the floor


@pytest.mark.parametrize(("rating", "near_since"), [(1440, date(2026, 1, 1)), (1441, None)])
def test_rating_is_near_the_floor_within_30_points(rating: int, near_since: date | None) -> None:
    assert near_floor(rating).near_since == near_since


def test_floor_falls_once_and_the_count_starts_over() -> None:
    once = chess_online.end_day(near_floor(), date(2026, 4, 1))
    assert (once.state.reductions, once.state.near_since) == (1, None)
    figures = {"since": "2026-01-01", "day": "2026-04-01", "floor": 1300}
    assert once.steps == (OnlineStep("floor-reduced-90-days", figures),)
    assert all(sentences(once))
    assert chess_online.end_day(once.state, date(2026, 4, 1)) == OnlineOutcome(once.state)
    assert chess_online.end_day(once.state, date(2027, 1, 1)) == OnlineOutcome(once.state)


def test_leaving_the_floor_ends_the_count() -> None:
    left = played(near_floor(), established(1435), WIN, ended_at=NOON + timedelta(days=80))
    back = played(left, established(1435), LOSS, ended_at=NOON + timedelta(days=85))
    assert (left.near_since, back.near_since) == (None, date(2026, 3, 27))


def test_games_that_stay_near_the_floor_go_on_with_the_count() -> None:
    again = played(near_floor(), established(1425), DRAW, ended_at=NOON + timedelta(days=80))
    assert again.near_since == date(2026, 1, 1)


def test_floor_that_was_due_before_a_game_has_fallen_when_it_is_rated() -> None:
    state = near_floor(1412)
    lost = game(LOSS, ended_at=NOON + timedelta(days=91))
    outcome = chess_online.rate_game(state, established(1400), lost).white
    assert (outcome.state.rating, outcome.state.floor) == (1392, 1300)
    assert keys(outcome.steps)[0] == "floor-reduced-90-days"
    done = chess_online.end_day(state, date(2026, 4, 1)).state
    assert chess_online.rate_game(done, established(1400), lost).white.state == outcome.state


def test_game_on_the_ninetieth_day_is_rated_before_the_floor_falls() -> None:
    lost = played(near_floor(1412), established(1400), LOSS, ended_at=NOON + timedelta(days=90))
    assert (lost.rating, lost.floor) == (1400, 1400)
    assert chess_online.end_day(lost, date(2026, 4, 1)).state.floor == 1300


def test_new_highest_rating_sets_the_floor_anew() -> None:
    state = established(1649, highest=1650, reductions=2)
    assert state.floor == 1200
    raised = played(state, established(1649), WIN)
    assert (raised.highest, raised.reductions, raised.floor) == (1659, 0, 1400)


def test_only_members_with_more_than_20_games_are_near_the_floor() -> None:
    twentieth = played(ChessOnlineState(rating=1010, games=19, total=19 * 1010), established(1010), DRAW)
    assert (twentieth.games, twentieth.rating, twentieth.near_since) == (20, 1010, None)
    assert played(twentieth, established(1010), DRAW).near_since == date(2026, 1, 1)


def test_late_game_counts_from_the_day_of_the_latest_one() -> None:
    away = replace(near_floor(1450), last_day=date(2026, 3, 1))
    late = played(away, established(1440), LOSS, ended_at=NOON)
    assert (late.near_since, late.last_day) == (date(2026, 3, 1), date(2026, 3, 1))


# A cancelled game

CANCELLED_ON = date(2026, 2, 1)


def past(
    before: ChessOnlineState, after: ChessOnlineState, half_points: int = 2, opponent: int = 1500
) -> Past[ChessOnlineState]:
    return Past(before, after, half_points, opponent_rating=opponent, opponent_games=30)


def test_cancelled_game_of_the_first_20_leaves_the_average() -> None:
    before = ChessOnlineState(rating=1500, games=9, total=9 * 1500, highest=1500)
    after = played(before, established(1500), WIN)
    today = played(after, established(1540), DRAW)
    outcome = chess_online.reverse_game(today, before, [past(after, today)], CANCELLED_ON)
    assert (outcome.state.games, outcome.state.total, outcome.state.rating) == (10, 9 * 1500 + 1540, 1504)
    assert sentences(outcome) == ["Game cancelled: 1540 − 36 = 1504."]


def test_cancelled_sixth_game_shows_1200_again() -> None:
    before = ChessOnlineState(games=5, total=5 * 1500)
    after = played(before, established(1500), DRAW)
    undone = chess_online.reverse_game(after, before, [], CANCELLED_ON).state
    assert (after.rating, undone.rating, undone.total) == (1500, 1200, 5 * 1500)


def test_d_88_cancelled_provisional_game_is_no_longer_in_the_average_once_elo_has_begun() -> None:
    """The 21st game takes its place among the 20: drawn with 1500, as the 19 that remain."""
    before = ChessOnlineState(rating=1500, games=19, total=19 * 1500, highest=1500)
    after = played(before, established(1500), WIN)
    today = played(after, established(1500), DRAW)
    assert (after.rating, today.games) == (1520, 21)
    undone = chess_online.reverse_game(today, before, [past(after, today, 1)], CANCELLED_ON).state
    assert (undone.rating, undone.games, undone.total) == (1500, 20, 20 * 1500)


def test_cancelled_short_game_takes_nothing_off() -> None:
    state = established(1500)
    assert chess_online.reverse_game(state, state, [], CANCELLED_ON).state == state


@pytest.mark.parametrize(("fell", "rating"), [(1530, 1520), (1405, 1400)])
def test_cancelled_elo_change_is_given_back_down_to_the_floor(fell: int, rating: int) -> None:
    before = established(1500, highest=1650)
    after = played(before, established(1500), WIN)
    today = established(fell, highest=1650, games=32)
    undone = chess_online.reverse_game(today, before, [past(after, today)], CANCELLED_ON).state
    assert (undone.rating, undone.games, undone.highest) == (rating, 31, 1650)
    assert undone.near_since == (CANCELLED_ON if rating == 1400 else None)
