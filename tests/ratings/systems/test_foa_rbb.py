"""FIDE Online Arena ratings, by the articles of the RBB regulations and decisions D-40 to D-43."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arenas.systems import whole_rating
from ratings.systems.online import foa_rbb
from ratings.systems.online.foa_rbb import NEWCOMER, FoaRbbState
from ratings.systems.online.values import OnlineOutcome, OnlineStep, Result, Side
from tests.ratings.systems.foa_rbb_games import DRAW, LOSS, WIN, after_games, game, keys, listed, sentences

# Article 2


def test_2_1_game_of_a_member_who_is_not_full_is_unrated() -> None:
    white, black = listed(1800_00), listed(1700_00)
    rated = foa_rbb.rate_game(white, black, game(black=Side("bela", is_full_member=False)))
    reason = OnlineStep("unrated-not-full-member-2.1", {"member": "bela"})
    assert (rated.white, rated.black) == (OnlineOutcome(white, (reason,)), OnlineOutcome(black, (reason,)))
    assert rated.unrated == reason
    assert all(sentences(rated.white))


def test_2_3_game_at_another_time_control_is_unrated() -> None:
    white, black = listed(1800_00), listed(1700_00)
    rated = foa_rbb.rate_game(white, black, game(time_control="10+5"))
    assert rated.unrated == OnlineStep("unrated-time-control-2.3", {"time_control": "10+5"})
    assert (rated.white.state, rated.black.state) == (white, black)


@pytest.mark.parametrize(
    ("white_away", "black_away", "white_after", "black_after"),
    [(True, False, 1790_00, 1810_00), (False, True, 1810_00, 1790_00)],
)
def test_2_4_disconnected_player_has_lost_whatever_the_result(
    white_away: bool, black_away: bool, white_after: int, black_after: int
) -> None:
    white, black = Side("ada", is_disconnected=white_away), Side("bela", is_disconnected=black_away)
    rated = foa_rbb.rate_game(listed(1800_00), listed(1800_00), game(DRAW, white=white, black=black))
    assert (rated.white.state.rating, rated.black.state.rating) == (white_after, black_after)
    assert keys(rated.white.steps)[0] == keys(rated.black.steps)[0] == "disconnected-2.4"


# Article 3


def test_3_14_gain_of_0_6_is_shown_as_1800_twice() -> None:
    """0.6 points are K 20 and dR .03, at a difference of 518 to 559."""
    before = listed(1799_60)
    after = foa_rbb.rate_game(before, listed(1250_00), game()).white
    assert (whole_rating(before.rating), after.state.exact, whole_rating(after.state.rating)) == (
        1800,
        "1800.20",
        1800,
    )
    assert after.steps == (
        OnlineStep("difference-D-41", {"rating": "1799.60", "opponent": "1250.00", "difference": 550}),
        OnlineStep("change-3.9.1", {"score": "1", "pd": "0.97", "dr": "0.03"}),
        OnlineStep("k20-3.10.1", {"k": 20, "games": 0}),
        OnlineStep("new-rating-3.9.2", {"before": "1799.60", "change": "0.60", "after": "1800.20"}),
    )
    assert all(sentences(after))


@pytest.mark.parametrize(
    ("category", "ratings", "rating", "key"),
    [
        ("rapid", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1900, "first-rating-listed-3.4.1"),
        ("rapid", {"rapid": None, "standard": 2000, "blitz": 1800}, 2000, "first-rating-listed-3.4.1"),
        ("rapid", {"blitz": 1800}, None, "no-first-rating-3.5"),
        ("blitz", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1800, "first-rating-listed-3.4.2"),
        ("blitz", {"rapid": 1900, "standard": 2000}, 1900, "first-rating-listed-3.4.2"),
        ("blitz", {"standard": 2000}, 2000, "first-rating-listed-3.4.2"),
        ("bullet", {"rapid": 1900, "standard": 2000, "blitz": 1800}, 1800, "first-rating-listed-3.4.3"),
        ("bullet", {"rapid": 1900, "standard": 2000}, 1900, "first-rating-listed-3.4.3"),
        ("bullet", {"standard": 2000}, 2000, "first-rating-listed-3.4.3"),
        ("bullet", {}, None, "no-first-rating-3.5"),
    ],
)
def test_3_4_first_rating_comes_from_the_fide_lists_in_order(
    category: str, ratings: dict[str, int | None], rating: int | None, key: str
) -> None:
    outcome = foa_rbb.first_state(category, ratings, list_date=date(2026, 3, 1))
    assert whole_rating(outcome.state.rating) == rating
    assert outcome.state.was_unrated is (rating is None)
    assert outcome.state.adjusted_on == date(2026, 3, 1)
    assert keys(outcome.steps) == [key]


def test_3_6_1_losses_before_the_first_draw_or_win_are_disregarded() -> None:
    outcome = after_games([LOSS, LOSS], [1500_00, 2500_00])
    assert outcome.state == NEWCOMER
    assert keys(outcome.steps) == ["loss-disregarded-3.6.1"]


def test_3_6_2_losses_after_the_first_target_count() -> None:
    outcome = after_games([LOSS, DRAW, LOSS], [1500_00, 1600_00, 1701_25])
    assert outcome.state == FoaRbbState(games=2, opponents_sum=3301_25, half_points=1)
    assert outcome.steps == (
        OnlineStep("second-target-3.6.2", {"opponent": "1701.25", "score": "0", "games": 2, "remaining": 3}),
    )


@pytest.mark.parametrize(
    ("results", "rating", "key"),
    [
        ([WIN, WIN, DRAW, LOSS, LOSS], 1600_00, "even-score-3.7.3"),
        ([WIN, WIN, WIN, LOSS, LOSS], 1620_00, "plus-score-3.7.4"),
        ([WIN, WIN, WIN, WIN, WIN], 1700_00, "plus-score-3.7.4"),
        ([WIN, WIN, LOSS, LOSS, LOSS], 1528_00, "minus-score-3.7.5"),
        ([DRAW, LOSS, LOSS, LOSS, LOSS], 1234_00, "minus-score-3.7.5"),
    ],
)
def test_3_7_five_results_give_the_first_rating(results: list[Result], rating: int, key: str) -> None:
    outcome = after_games(results, [1400_00, 1500_00, 1600_00, 1700_00, 1800_00])
    assert outcome.state == FoaRbbState(rating=rating, games=5)
    assert keys(outcome.steps) == ["second-target-3.6.2", "average-3.7.1", key, "first-rating-3.7.2"]


def test_d_40_first_rating_under_the_floor_starts_over_from_the_first_target() -> None:
    low = after_games([DRAW, LOSS, LOSS, LOSS, LOSS], [465_99] * 5)
    assert low.state == NEWCOMER
    assert keys(low.steps)[-1] == "first-rating-under-floor-D-40"
    assert after_games([LOSS], [465_99], low.state).state == NEWCOMER
    assert after_games([DRAW, LOSS, LOSS, LOSS, LOSS], [466_00] * 5).state.rating == 100_00


def test_3_8_rated_player_is_not_affected_by_an_unrated_one() -> None:
    rated = foa_rbb.rate_game(listed(1500_00), NEWCOMER, game(LOSS))
    assert rated.unrated is None
    assert rated.white == OnlineOutcome(listed(1500_00), (OnlineStep("unrated-opponent-3.8", {}),))
    assert rated.black.state == FoaRbbState(games=1, opponents_sum=1500_00, half_points=2)


def test_3_6_game_between_two_unrated_players_counts_for_nothing() -> None:
    pooled = FoaRbbState(games=2, opponents_sum=3000_00, half_points=2)
    rated = foa_rbb.rate_game(pooled, NEWCOMER, game())
    assert (rated.white.state, rated.black.state) == (pooled, NEWCOMER)
    assert rated.unrated == OnlineStep("both-unrated-3.6", {})


@pytest.mark.parametrize(
    ("state", "time_control", "k"),
    [
        (listed(1500_00), "15+0", 20),
        (listed(1500_00), "3+2", 20),
        (listed(1500_00), "1+1", 10),
        (FoaRbbState(rating=1500_00, games=5), "15+0", 40),
        (FoaRbbState(rating=1500_00, games=29), "3+0", 40),
        (FoaRbbState(rating=1500_00, games=29), "1+0", 40),
        (FoaRbbState(rating=1500_00, games=30), "15+0", 20),
        (FoaRbbState(rating=1500_00, games=30), "1+0", 10),
    ],
)
def test_3_10_k_factor(state: FoaRbbState, time_control: str, k: int) -> None:
    outcome = foa_rbb.rate_game(state, listed(1500_00), game(time_control=time_control)).white
    assert outcome.state.rating == 1500_00 + 50 * k
    assert outcome.state.games == state.games + 1
    assert outcome.steps[2].figures["k"] == k


def test_d_42_the_five_first_games_and_every_game_between_rated_players_make_the_30() -> None:
    state = after_games([DRAW] * 5, [1500_00] * 5).state
    ks = []
    for _ in range(26):
        outcome = foa_rbb.rate_game(state, listed(state.rating or 0), game(DRAW)).white
        state = foa_rbb.rate_game(outcome.state, NEWCOMER, game(DRAW)).white.state
        ks.append(outcome.steps[2].figures["k"])
    assert ks == [40] * 25 + [20]


def test_3_3_rating_under_the_floor_is_lost_and_found_anew() -> None:
    lost = foa_rbb.rate_game(listed(109_99), listed(109_99), game(LOSS)).white
    assert lost.state == NEWCOMER
    assert keys(lost.steps)[-2:] == ["new-rating-3.9.2", "rating-lost-3.3"]
    kept = foa_rbb.rate_game(listed(110_00), listed(110_00), game(LOSS)).white
    assert kept.state == listed(100_00, games=1)
    again = after_games([DRAW] * 5, [1000_00] * 5, lost.state).state
    assert again == FoaRbbState(rating=1000_00, was_unrated=True, games=5)


# What always holds

rated_states = st.builds(listed, st.integers(200_00, 3000_00))
results = st.sampled_from(Result)
members = ["ada", "bela", "cleo", "dov"]
pairs = st.permutations(members).map(lambda order: (order[0], order[1]))
streams = st.lists(st.tuples(pairs, results, st.booleans()), max_size=60)


@given(rated_states, rated_states, results)
def test_changes_add_up_to_zero_where_both_have_the_same_k(
    white: FoaRbbState, black: FoaRbbState, result: Result
) -> None:
    rated = foa_rbb.rate_game(white, black, game(result))
    total = (white.rating or 0) + (black.rating or 0)
    assert (rated.white.state.rating or 0) + (rated.black.state.rating or 0) == total


def replay(stream: list[Any], *, through_json: bool) -> dict[str, FoaRbbState]:
    states = {"ada": listed(1500_00), "bela": listed(104_00), "cleo": NEWCOMER, "dov": NEWCOMER}
    for (white, black), result, is_disconnected in stream:
        side = Side(white, is_disconnected=is_disconnected)
        played = game(result, white=side, black=Side(black))
        rated = foa_rbb.rate_game(states[white], states[black], played)
        for member, outcome in ((white, rated.white), (black, rated.black)):
            assert all(sentences(outcome))
            stored = json.loads(json.dumps(outcome.state.to_dict()))
            states[member] = FoaRbbState.from_dict(stored) if through_json else outcome.state
    return states


@given(streams)
def test_replay_gives_the_same_states_also_through_json(stream: list[Any]) -> None:
    assert replay(stream, through_json=True) == replay(stream, through_json=False)


@given(streams)
def test_no_rating_is_ever_under_the_floor(stream: list[Any]) -> None:
    ratings = [state.rating for state in replay(stream, through_json=False).values()]
    assert [rating for rating in ratings if rating is not None and rating < 100_00] == []


@given(rated_states, rated_states, results)
def test_cancelling_the_latest_game_gives_the_rating_before_it(
    white: FoaRbbState, black: FoaRbbState, result: Result
) -> None:
    after = foa_rbb.rate_game(white, black, game(result)).white.state
    assert foa_rbb.reverse_game(after, white, []).state == white
