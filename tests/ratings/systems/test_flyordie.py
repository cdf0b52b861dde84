"""The system `flyordie`: the text's tables row by row, series (D-60), weight (D-61), daily reduction."""

from __future__ import annotations

import json
from datetime import UTC, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arenas.systems import SYSTEMS
from ratings.systems.arithmetic import in_decimals
from ratings.systems.online import flyordie
from ratings.systems.online.flyordie import NEWCOMER, FlyOrDieState, GameSeries
from ratings.systems.online.values import OnlineStep, Result
from tests.ratings.systems.flyordie_games import (
    DAY,
    DRAW,
    HOUR,
    LOSS,
    NOON,
    WIN,
    established,
    game,
    keys,
    sentences,
    series_of,
)

# One game


def test_newcomer_has_0_and_does_not_fall_below() -> None:
    rated = flyordie.rate_game(NEWCOMER, established(0), game(LOSS))
    assert (NEWCOMER.rating, rated.white.state.rating, rated.black.state.rating) == (0, 0, 1)
    assert "floor-0" in keys(rated.white.steps)


@pytest.mark.parametrize("games", [0, 19, 20])
def test_rating_is_provisional_with_fewer_than_20_matches(games: int) -> None:
    assert SYSTEMS["flyordie"].is_provisional(games) is (games < 20)


@pytest.mark.parametrize(
    ("matches", "change", "weight"),
    [(0, 1, "0.05"), (1, 2, "0.1"), (4, 4, "0.25"), (9, 8, "0.5"), (18, 15, "0.95"), (19, 16, "1")],
)
def test_d_61_change_against_a_provisional_opponent_is_weighted(
    matches: int, change: int, weight: str
) -> None:
    outcome = flyordie.rate_game(established(1000), established(1000, matches), game()).white
    assert outcome.state.rating == 1000 + change
    assert outcome.steps[3] == OnlineStep("provisional-weight-D-61", {"games": matches, "weight": weight})


def test_d_61_own_matches_do_not_weigh() -> None:
    rated = flyordie.rate_game(established(1000, 0), established(1000), game())
    assert (rated.white.state.rating, rated.black.state.rating) == (1016, 999)
    assert keys(rated.white.steps) == ["k-band", "expectation", "series-D-60", "change-D-60", "new-rating"]


# Series (D-60)


def test_d_60_explains_the_second_game() -> None:
    second = series_of(established(1000), established(1000), [WIN, WIN])[1].white
    assert second.steps == (
        OnlineStep("k-band", {"k": 32, "rating": 1000}),
        OnlineStep("expectation", {"difference": 0, "expectation": "0.5"}),
        OnlineStep("series-D-60", {"games": 2, "factor": "1.5", "score": "2"}),
        OnlineStep("change-D-60", {"exact": "24", "total": 24, "given": 16, "change": 8}),
        OnlineStep("new-rating", {"before": 1016, "after": 1024}),
    )
    assert all(sentences(second))


@pytest.mark.parametrize(
    ("after", "rating"),
    [
        (timedelta(hours=24) - timedelta(microseconds=1), 1024),
        (timedelta(hours=24), 1031),
        (timedelta(hours=30), 1031),
        (-timedelta(hours=3), 1024),
        (-timedelta(hours=24), 1031),
    ],
)
def test_d_60_game_at_the_very_end_of_the_window_begins_a_new_series(after: timedelta, rating: int) -> None:
    first = flyordie.rate_game(established(1000), established(1000), game())
    second = flyordie.rate_game(first.white.state, first.black.state, game(at=NOON + after))
    assert second.white.state.rating == rating


def test_d_60_window_is_the_arenas() -> None:
    first = flyordie.rate_game(established(1000), established(1000), game())
    white, black, at = first.white.state, first.black.state, game(at=NOON + HOUR)
    assert flyordie.rate_game(white, black, at, window=HOUR).white.state.rating == 1031
    assert flyordie.rate_game(white, black, at, window=2 * HOUR).white.state.rating == 1024


def test_d_60_late_game_of_an_older_series_leaves_the_open_one() -> None:
    first = flyordie.rate_game(established(1000), established(1000), game())
    late = flyordie.rate_game(first.white.state, first.black.state, game(DRAW, at=NOON - 48 * HOUR))
    third = flyordie.rate_game(late.white.state, late.black.state, game(at=NOON + HOUR))
    assert third.white.state.series[0].games == 2
    assert third.white.state.rating == late.white.state.rating + 8


def test_d_147_late_game_belongs_to_its_series_whatever_came_in_between() -> None:
    """Two straight wins of equal players are 24 points, also where the series was closed by a game with another."""
    first = flyordie.rate_game(established(1000), established(1000), game())
    other = game(DRAW, at=NOON + timedelta(hours=25), black="cleo")
    between = flyordie.rate_game(first.white.state, established(1016), other).white.state
    past = [(first.white.state, first.black.state)]
    late = flyordie.rate_game(between, first.black.state, game(at=NOON + HOUR), past=past)
    assert late.white.state.rating == between.rating + 8
    assert late.black.state.rating == 1000 - 24
    # The third of the series is late, too.
    past = [(late.white.state, late.black.state), *past]
    again = flyordie.rate_game(late.white.state, late.black.state, game(at=NOON + 2 * HOUR), past=past)
    assert again.black.state.rating == 1000 - 28


def test_d_60_what_the_floor_withheld_was_not_given() -> None:
    rated = series_of(established(10), established(10), [LOSS, WIN, WIN])
    assert [each.white.state.rating for each in rated] == [0, 10, 19]
    assert rated[1].white.steps[3].figures == {"exact": "0", "total": 0, "given": -10, "change": 10}


def test_d_60_weight_is_that_of_the_current_game() -> None:
    rated = series_of(established(1000), established(1000, 9), [WIN, WIN])
    assert [each.white.state.rating for each in rated] == [1008, 1013]
    assert rated[1].white.steps[4].figures["exact"] == in_decimals(Fraction(24 * 11, 20))


def test_d_60_reduction_between_the_games_was_not_given_by_the_series() -> None:
    first = flyordie.rate_game(established(1000), established(1000), game())
    white = flyordie.end_day(first.white.state, DAY).state
    second = flyordie.rate_game(white, first.black.state, game(at=NOON + 13 * HOUR))
    assert (white.rating, second.white.state.rating) == (1016 - 9, 1016 - 9 + 8)


def test_closed_series_are_forgotten() -> None:
    first = flyordie.rate_game(established(1000), established(1000), game())
    later = game(at=NOON + timedelta(hours=24), black="cleo")
    state = flyordie.rate_game(first.white.state, established(1000), later).white.state
    assert [series.opponent for series in state.series] == ["cleo"]


# What always holds

members = ["ada", "bela", "cleo", "dov"]
pairs = st.permutations(members).map(lambda order: (order[0], order[1]))
minutes = st.integers(0, 3000)
streams = st.lists(st.tuples(pairs, st.sampled_from(Result), minutes, st.booleans()), max_size=60)


def replay(stream: list[Any], *, through_json: bool) -> dict[str, FlyOrDieState]:
    states = {"ada": established(2090), "bela": established(1000), "cleo": NEWCOMER, "dov": NEWCOMER}
    at = NOON
    for (white, black), result, gap, ends_day in stream:
        at += timedelta(minutes=gap)
        rated = flyordie.rate_game(
            states[white], states[black], game(result, at=at, white=white, black=black)
        )
        for member, outcome in ((white, rated.white), (black, rated.black)):
            ended = flyordie.end_day(outcome.state, at.date()) if ends_day else outcome
            assert all([*sentences(outcome), *sentences(ended)])
            stored = json.loads(json.dumps(ended.state.to_dict()))
            states[member] = FlyOrDieState.from_dict(stored) if through_json else ended.state
    return states


@given(streams)
def test_replay_gives_the_same_states_also_through_json(stream: list[Any]) -> None:
    assert replay(stream, through_json=True) == replay(stream, through_json=False)


@given(streams)
def test_no_rating_is_ever_below_0(stream: list[Any]) -> None:
    assert [state for state in replay(stream, through_json=False).values() if state.rating < 0] == []


@given(
    st.integers(200, 2099),
    st.integers(200, 2099),
    st.lists(st.sampled_from(Result), min_size=1, max_size=10),
)
def test_changes_of_a_series_add_up_to_zero(white: int, black: int, results: list[Result]) -> None:
    """Both have K 32, are established and no floor is met."""
    for each in series_of(established(white), established(black), results):
        assert each.white.state.rating + each.black.state.rating == white + black


@given(st.integers(720, 2099), st.integers(0, 1379))
def test_no_win_beyond_719_points_changes_anything(strong: int, weak: int) -> None:
    assume(strong - weak > 719)
    rated = flyordie.rate_game(established(strong), established(weak), game(WIN))
    assert (rated.white.state.rating, rated.black.state.rating) == (strong, weak)


@given(streams, st.lists(st.integers(0, 60), max_size=8))
def test_calls_for_days_in_any_number_give_the_same_rating(stream: list[Any], days: list[int]) -> None:
    """A day done twice, or days made up together, take off what each day in order takes off."""
    for state in replay(stream, through_json=False).values():
        in_steps = state
        for day in sorted(days):
            in_steps = flyordie.end_day(in_steps, DAY + timedelta(day)).state
            in_steps = flyordie.end_day(in_steps, DAY + timedelta(day)).state
        assert in_steps == flyordie.end_day(state, DAY + timedelta(max(days, default=-1))).state


@given(
    st.builds(
        FlyOrDieState,
        rating=st.integers(0, 3000),
        series=st.lists(
            st.builds(
                GameSeries, st.text(), st.datetimes(timezones=st.just(UTC)), st.integers(), st.integers()
            )
        ).map(tuple),
        reduced_through=st.none() | st.dates(),
        closings=st.lists(st.tuples(st.dates(), st.integers())).map(tuple),
    )
)
def test_state_round_trips_through_json(state: FlyOrDieState) -> None:
    assert FlyOrDieState.from_dict(json.loads(json.dumps(state.to_dict()))) == state
