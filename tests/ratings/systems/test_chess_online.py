"""The system `chess-online`: the text's own examples, D-50, D-51 and D-52."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems.online import chess_online
from ratings.systems.online.chess_online import NEWCOMER, ChessOnlineState
from ratings.systems.online.values import OnlineGame, OnlineStep, Result, Side, expectation
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

# The first 20 games


def test_opponent_with_fewer_than_six_games_counts_as_1200() -> None:
    opponent = ChessOnlineState(games=5, total=5 * 1900)
    assert played(NEWCOMER, opponent, DRAW).total == 1200
    assert played(NEWCOMER, ChessOnlineState(rating=1900, games=6, total=6 * 1900), DRAW).total == 1900


def test_twentieth_game_is_averaged_and_the_twenty_first_is_elo() -> None:
    state = ChessOnlineState(rating=1500, games=19, total=19 * 1500, highest=1500)
    twentieth = chess_online.rate_game(state, established(1500), game(WIN)).white
    assert (twentieth.state.rating, twentieth.state.games) == (1520, 20)
    assert twentieth.steps == (
        OnlineStep("opponent-rating", {"counted": 1500}),
        OnlineStep(
            "opponent-established", {"contribution": 1900, "opponent": 1500, "swing": 400, "games": 30}
        ),
        OnlineStep("average-first-20-games", {"total": 30400, "games": 20, "average": "1520"}),
        OnlineStep("provisional-rating", {"games": 20, "before": 1500, "after": 1520}),
        OnlineStep("new-highest", {"highest": 1520, "floor": 1300}),
    )
    after = chess_online.rate_game(twentieth.state, established(1520), game(LOSS)).white
    assert after.state.rating == 1510
    assert keys(after.steps) == ["opponent-rating", "expectation-D-50", "change-D-50"]


# D-50


# D-51


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_d_51_short_game_is_not_rated_and_not_among_the_first(moves: int) -> None:
    white, black = established(1500), ChessOnlineState(games=4, total=4800)
    rated = chess_online.rate_game(white, black, game(moves=moves))
    assert (rated.white.state, rated.black.state) == (white, black)
    assert rated.unrated == OnlineStep("short-game-D-51", {"moves": moves})
    assert all(sentences(rated.white))


# What always holds

members = ["ada", "bela", "cleo", "dov"]
pairs = st.permutations(members).map(lambda order: (order[0], order[1]))
moves = st.integers(0, 5)
hours = st.integers(0, 2000)
streams = st.lists(st.tuples(pairs, st.sampled_from(Result), moves, hours), max_size=60)


def replay(stream: list[Any], *, through_json: bool) -> dict[str, ChessOnlineState]:
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
            states[white],
            states[black],
            OnlineGame(ended_at, Side(white), Side(black), result, "10+0", count),
        )
        for member, outcome in ((white, rated.white), (black, rated.black)):
            assert all(sentences(outcome))
            stored = json.loads(json.dumps(outcome.state.to_dict()))
            states[member] = ChessOnlineState.from_dict(stored) if through_json else outcome.state
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


@given(st.builds(ChessOnlineState, near_since=st.none() | st.dates(), last_day=st.none() | st.dates()))
def test_state_round_trips_through_json(state: ChessOnlineState) -> None:
    assert ChessOnlineState.from_dict(json.loads(json.dumps(state.to_dict()))) == state
