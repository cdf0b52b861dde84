"""The system `chess-online`: the text's own examples, D-50, D-51 and D-52."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import chess_online
from ratings.systems.chess_online import MESSAGES, NEWCOMER, State
from ratings.systems.online.logistic import expectation
from ratings.systems.online.values import Game, Outcome, Result, Side, Step

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS


def game(
    result: Result = WIN,
    *,
    start: int | None = None,
    opponent_start: int | None = None,
    moves: int = 40,
    ended_at: datetime = NOON,
) -> Game:
    return Game(ended_at, Side("ada", start), Side("bela", opponent_start), result, "10+0", moves)


def established(rating: int, **changes: Any) -> State:
    return State(**{"rating": rating, "games": 30, "highest": max(rating, 1200), **changes})


def provisional(rating: int, games: int = 10) -> State:
    return State(rating=rating, games=games, highest=max(rating, 1200))


def keys(steps: Iterable[Step]) -> list[str]:
    return [step.key for step in steps]


def sentences(outcome: Outcome[State]) -> list[str]:
    return [MESSAGES[step.key] % step.figures for step in outcome.steps]


def played(state: State, opponent: State, result: Result, **details: Any) -> State:
    return chess_online.rate_game(state, opponent, game(result, **details)).white.state


# The first 20 games


def test_first_example_of_the_text_1467_after_three_games() -> None:
    state = played(NEWCOMER, provisional(1200), WIN)
    state = played(state, established(1400), WIN)
    state = played(state, established(1600), LOSS)
    assert (state.running_average, state.shown, state.games) == (1467, 1200, 3)


def test_second_example_of_the_text_1525_after_four_games() -> None:
    state = played(NEWCOMER, provisional(1200), WIN)
    state = played(state, established(1400), WIN)
    state = played(state, provisional(1600), LOSS)
    state = played(state, established(1500), DRAW)
    assert (state.running_average, state.shown, state.games) == (1525, 1200, 4)


def test_1200_is_shown_until_the_sixth_game_is_completed() -> None:
    state, shown = NEWCOMER, [NEWCOMER.shown]
    for _ in range(7):
        state = played(state, established(1500), WIN)
        shown.append(state.shown)
    assert shown == [1200] * 6 + [1900, 1900]


def test_opponent_with_fewer_than_six_games_counts_as_1200() -> None:
    opponent = State(games=5, total=5 * 1900)
    assert played(NEWCOMER, opponent, DRAW).running_average == 1200
    assert played(NEWCOMER, State(rating=1900, games=6, total=6 * 1900), DRAW).running_average == 1900


@pytest.mark.parametrize(
    ("opponent_games", "result", "contribution"),
    [
        (19, WIN, 1700),
        (19, DRAW, 1500),
        (19, LOSS, 1300),
        (20, WIN, 1900),
        (20, DRAW, 1500),
        (20, LOSS, 1100),
    ],
)
def test_opponent_is_provisional_with_fewer_than_20_games_before_this_one(
    opponent_games: int, result: Result, contribution: int
) -> None:
    assert played(NEWCOMER, provisional(1500, opponent_games), result).total == contribution


def test_first_games_take_the_higher_of_the_opponents_ratings_at_start_and_end() -> None:
    assert played(NEWCOMER, established(1500), DRAW, opponent_start=1520).total == 1520
    assert played(NEWCOMER, established(1500), DRAW, opponent_start=1480).total == 1500
    assert played(NEWCOMER, established(1500), DRAW).total == 1500


def test_twentieth_game_is_averaged_and_the_twenty_first_is_elo() -> None:
    state = State(rating=1500, games=19, total=19 * 1500, highest=1500)
    twentieth = chess_online.rate_game(state, established(1500), game(WIN)).white
    assert (twentieth.state.shown, twentieth.state.games) == (1520, 20)
    assert sentences(twentieth) == [
        "The opponent counts as 1500, the higher of the ratings at the start and at the end.",
        "1900 for this game: 1500 +400, an established opponent.",
        "Average of the games so far: 30400 / 20 = 1520.",
        "Provisional rating after 20 of the first 20 games: from 1500 to 1520.",
        "A new highest rating, 1520: the floor is 1300.",
    ]
    after = chess_online.rate_game(twentieth.state, established(1520), game(LOSS)).white
    assert after.state.shown == 1510
    assert keys(after.steps) == ["opponent-rating", "expectation-D-50", "change-D-50"]


@pytest.mark.parametrize(("total", "shown"), [(6 * 1300 + 3, 1301), (6 * 1300 + 2, 1300)])
def test_average_is_rounded_half_away_from_zero(total: int, shown: int) -> None:
    state = State(games=5, total=total - 1400)
    assert played(state, established(1400), DRAW).shown == shown


# D-50


@pytest.mark.parametrize(
    ("own", "start", "opponent", "opponent_start", "result", "rating"),
    [
        (1500, None, 1500, None, WIN, 1510),
        (1500, None, 1500, None, DRAW, 1500),
        (1500, None, 1900, None, WIN, 1518),
        (1500, None, 1900, None, LOSS, 1498),
        (1480, 1500, 1500, None, WIN, 1490),
        (1500, 1480, 1500, None, WIN, 1510),
        (1500, 1500, 1480, 1500, LOSS, 1490),
        (1500, 1500, 1500, 1480, LOSS, 1490),
        (1800, None, 1500, None, WIN, 1803),
        (1800, None, 1500, None, DRAW, 1793),
    ],
)
def test_d_50_elo_uses_the_higher_ratings_and_adds_to_that_at_the_end(
    own: int, start: int | None, opponent: int, opponent_start: int | None, result: Result, rating: int
) -> None:
    state = played(
        established(own), established(opponent), result, start=start, opponent_start=opponent_start
    )
    assert state.rating == rating


# D-51


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_d_51_short_game_is_not_rated_and_not_among_the_first(moves: int) -> None:
    white, black = established(1500), State(games=4, total=4800)
    rated = chess_online.rate_game(white, black, game(moves=moves))
    assert (rated.white.state, rated.black.state) == (white, black)
    assert rated.unrated == Step("short-game-D-51", {"moves": moves})
    assert sentences(rated.white) == [
        f"Not rated: a game of {moves} moves; 2 or fewer, of either side, have no effect."
    ]


def test_d_51_game_of_three_moves_is_rated() -> None:
    assert chess_online.rate_game(NEWCOMER, NEWCOMER, game(moves=3)).white.state.games == 1


# D-52


@pytest.mark.parametrize(("highest", "floor"), [(1200, 1000), (1599, 1300), (1600, 1400), (1699, 1400)])
def test_d_52_floor_is_the_highest_rating_less_200_rounded_down(highest: int, floor: int) -> None:
    assert State(highest=highest).floor == floor


def test_d_52_rating_under_the_floor_is_reset_to_it() -> None:
    outcome = chess_online.rate_game(established(1405, highest=1650), established(1405), game(LOSS)).white
    assert (outcome.state.rating, outcome.state.floor) == (1400, 1400)
    assert keys(outcome.steps)[-1] == "floor-reset"


def test_d_52_floor_has_no_effect_during_the_first_20_games() -> None:
    state = State(rating=900, games=19, total=19 * 900)
    twentieth = chess_online.rate_game(state, established(1300), game(LOSS)).white
    assert (twentieth.state.rating, twentieth.state.floor) == (900, 1000)
    assert keys(twentieth.steps)[-1] == "floor-without-effect-D-52"
    assert played(twentieth.state, established(900), WIN).rating == 1000


def test_d_52_highest_rating_is_the_highest_ever_shown_in_the_provisional_time_too() -> None:
    state = State(games=5, total=5 * 1900)
    sixth = played(state, established(1500), WIN)
    seventh = played(sixth, established(1500), LOSS)
    assert (sixth.highest, seventh.rating, seventh.highest) == (1900, 1786, 1900)


def test_d_52_running_average_that_is_not_shown_is_no_highest_rating() -> None:
    assert played(NEWCOMER, established(2500), WIN).highest == 1200


# 90 days near the floor


def near_floor(rating: int = 1435) -> State:
    """An established member whose floor is 1400, who lost on the first day of 2026 at `rating`."""
    return played(established(rating, highest=1650), established(rating), LOSS)


@pytest.mark.parametrize(("rating", "near_since"), [(1440, date(2026, 1, 1)), (1441, None)])
def test_rating_is_near_the_floor_within_30_points(rating: int, near_since: date | None) -> None:
    assert near_floor(rating).near_since == near_since


@pytest.mark.parametrize(("days", "floor"), [(89, 1400), (90, 1300), (400, 1300)])
def test_floor_falls_by_100_after_90_days_near_it(days: int, floor: int) -> None:
    assert chess_online.end_day(near_floor(), date(2026, 1, 1) + timedelta(days)).state.floor == floor


def test_floor_falls_once_and_the_count_starts_over() -> None:
    once = chess_online.end_day(near_floor(), date(2026, 4, 1))
    assert (once.state.reductions, once.state.near_since) == (1, None)
    (sentence,) = sentences(once)
    assert sentence == (
        "Since 2026-01-01 the rating has stayed within 30 points of the floor, for 90 days: "
        "on 2026-04-01 the floor fell to 1300."
    )
    assert chess_online.end_day(once.state, date(2026, 4, 1)) == Outcome(once.state)
    assert chess_online.end_day(once.state, date(2027, 1, 1)) == Outcome(once.state)


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
    twentieth = played(State(rating=1010, games=19, total=19 * 1010), established(1010), DRAW)
    assert (twentieth.games, twentieth.rating, twentieth.near_since) == (20, 1010, None)
    assert played(twentieth, established(1010), DRAW).near_since == date(2026, 1, 1)


def test_late_game_counts_from_the_day_of_the_latest_one() -> None:
    away = replace(near_floor(1450), last_day=date(2026, 3, 1))
    late = played(away, established(1440), LOSS, ended_at=NOON)
    assert (late.near_since, late.last_day) == (date(2026, 3, 1), date(2026, 3, 1))


# A cancelled game

CANCELLED_ON = date(2026, 2, 1)


def test_cancelled_game_of_the_first_20_leaves_the_average() -> None:
    before = State(rating=1500, games=9, total=9 * 1500, highest=1500)
    after = played(before, established(1500), WIN)
    today = played(after, established(1540), DRAW)
    outcome = chess_online.reverse_game(today, before=before, after=after, on=CANCELLED_ON)
    assert (outcome.state.games, outcome.state.total, outcome.state.rating) == (10, 9 * 1500 + 1540, 1504)
    assert sentences(outcome) == ["A game was cancelled: from 1540 by -36 to 1504."]


def test_cancelled_sixth_game_shows_1200_again() -> None:
    before = State(games=5, total=5 * 1500)
    after = played(before, established(1500), DRAW)
    undone = chess_online.reverse_game(after, before=before, after=after, on=CANCELLED_ON).state
    assert (after.shown, undone.shown, undone.total) == (1500, 1200, 5 * 1500)


def test_cancelled_provisional_game_takes_nothing_off_once_elo_has_begun() -> None:
    before = State(rating=1500, games=9, total=9 * 1500, highest=1500)
    after = played(before, established(1500), WIN)
    outcome = chess_online.reverse_game(established(1600), before=before, after=after, on=CANCELLED_ON)
    assert outcome == Outcome(established(1600), (Step("cancelled-nothing", {}),))


def test_cancelled_short_game_takes_nothing_off() -> None:
    state = established(1500)
    assert chess_online.reverse_game(state, before=state, after=state, on=CANCELLED_ON).state == state


@pytest.mark.parametrize(("today", "rating"), [(1530, 1520), (1405, 1400)])
def test_cancelled_elo_change_is_given_back_down_to_the_floor(today: int, rating: int) -> None:
    before = established(1500, highest=1650)
    after = played(before, established(1500), WIN)
    state = established(today, highest=1650, games=40)
    undone = chess_online.reverse_game(state, before=before, after=after, on=CANCELLED_ON).state
    assert (undone.rating, undone.games, undone.highest) == (rating, 39, 1650)
    assert undone.near_since == (CANCELLED_ON if rating == 1400 else None)


# What always holds

members = ["ada", "bela", "cleo", "dov"]
pairs = st.permutations(members).map(lambda order: (order[0], order[1]))
moves = st.integers(0, 5)
hours = st.integers(0, 2000)
streams = st.lists(st.tuples(pairs, st.sampled_from(Result), moves, hours), max_size=60)


def replay(stream: list[Any], *, through_json: bool) -> dict[str, State]:
    states = {
        "ada": established(1405, highest=1650),
        "bela": established(1800),
        "cleo": NEWCOMER,
        "dov": NEWCOMER,
    }
    ended_at = NOON
    for (white, black), result, count, gap in stream:
        ended_at += timedelta(hours=gap)
        rated = chess_online.rate_game(
            states[white], states[black], Game(ended_at, Side(white), Side(black), result, "10+0", count)
        )
        for member, outcome in ((white, rated.white), (black, rated.black)):
            assert all(sentences(outcome))
            stored = json.loads(json.dumps(outcome.state.to_dict()))
            states[member] = State.from_dict(stored) if through_json else outcome.state
    return states


@given(streams)
def test_replay_gives_the_same_states_also_through_json(stream: list[Any]) -> None:
    assert replay(stream, through_json=True) == replay(stream, through_json=False)


@given(streams)
def test_no_established_rating_is_ever_under_the_floor(stream: list[Any]) -> None:
    states = replay(stream, through_json=False).values()
    assert [state for state in states if state.games > 20 and state.rating < state.floor] == []


@given(streams)
def test_ending_every_day_changes_no_rating_of_a_stream(stream: list[Any]) -> None:
    """The floor falls in time whether or not anybody ended the day."""
    daily, ended_at = {"ada": near_floor(1412), "bela": established(1405, highest=1650)}, NOON
    never = dict(daily)
    for _, result, count, gap in stream:
        day = ended_at.date()
        ended_at += timedelta(hours=gap)
        while day < ended_at.date():
            daily = {member: chess_online.end_day(state, day).state for member, state in daily.items()}
            day += timedelta(days=1)
        for states in (daily, never):
            rated = chess_online.rate_game(
                states["ada"], states["bela"], game(result, moves=count, ended_at=ended_at)
            )
            if rated.unrated is None:
                states.update(ada=rated.white.state, bela=rated.black.state)
    assert {member: state.rating for member, state in daily.items()} == {
        member: state.rating for member, state in never.items()
    }


@given(st.integers(-4000, 4000))
def test_expectations_of_both_players_add_up_to_one(difference: int) -> None:
    assert expectation(difference) + expectation(-difference) == 1


@given(st.integers(-3000, 2999))
def test_expectation_rises_with_the_difference(difference: int) -> None:
    assert 0 < expectation(difference) < expectation(difference + 1) < 1


@given(st.builds(State, near_since=st.none() | st.dates(), last_day=st.none() | st.dates()))
def test_state_round_trips_through_json(state: State) -> None:
    assert State.from_dict(json.loads(json.dumps(state.to_dict()))) == state
