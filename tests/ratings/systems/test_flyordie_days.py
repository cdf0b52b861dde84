"""The daily reduction of `flyordie`, and cancelled games."""

from __future__ import annotations

from datetime import timedelta

from ratings.systems.online import flyordie
from ratings.systems.online.flyordie import NEWCOMER, FlyOrDieState
from ratings.systems.online.values import OnlineOutcome, OnlineStep, Past
from tests.ratings.systems.flyordie_games import (
    DAY,
    DRAW,
    HOUR,
    NOON,
    WIN,
    established,
    game,
    sentences,
    series_of,
)

# Daily reduction


def on_day(rating: int) -> FlyOrDieState:
    """A member who had this rating at the end of the first day, of which nothing is taken off yet."""
    return FlyOrDieState(rating=rating, games=50, closings=((DAY, rating),))


def test_day_is_reduced_once() -> None:
    once = flyordie.end_day(on_day(1000), DAY)
    assert once.state == FlyOrDieState(992, games=50, reduced_through=DAY, closings=((DAY, 992),))
    assert once.steps == (OnlineStep("daily-reduction", {"day": "2026-01-01", "rating": 1000, "amount": 8}),)
    assert all(sentences(once))
    assert flyordie.end_day(once.state, DAY) == OnlineOutcome(once.state)
    assert flyordie.end_day(once.state, DAY - timedelta(days=5)) == OnlineOutcome(once.state)


def test_rating_does_not_fall_below_0() -> None:
    state = flyordie.end_day(on_day(2), DAY + timedelta(days=9)).state
    assert state.rating == 0


def test_missed_days_are_made_up_in_order() -> None:
    at_once = flyordie.end_day(on_day(1000), DAY + timedelta(days=3))
    state = on_day(1000)
    for days in range(4):
        state = flyordie.end_day(state, DAY + timedelta(days)).state
    assert at_once.state == state
    assert [step.figures["amount"] for step in at_once.steps] == [8, 8, 8, 8]


def test_missed_day_is_made_up_on_the_rating_at_the_end_of_that_day() -> None:
    """1000, won to 1016 on the third day: 8 for each of the first two days, 9 (on 1000) for the third."""
    third = NOON + timedelta(days=2)
    state = flyordie.rate_game(on_day(1000), established(1000), game(at=third)).white.state
    outcome = flyordie.end_day(state, DAY + timedelta(days=2))
    assert [step.figures["rating"] for step in outcome.steps] == [1000, 992, 1000]
    assert (state.rating, outcome.state.rating) == (1016, 1016 - 8 - 8 - 8)


def test_day_before_games_already_rated_is_made_up_alone() -> None:
    state = flyordie.rate_game(on_day(1000), established(1000), game(at=NOON + timedelta(days=1))).white.state
    first = flyordie.end_day(state, DAY).state
    assert (first.rating, first.reduced_through) == (1008, DAY)
    assert flyordie.end_day(first, DAY + timedelta(days=1)).state.rating == 1008 - flyordie.reduction(1008)


def test_first_game_is_the_first_day_to_reduce() -> None:
    state = flyordie.rate_game(established(1000), established(1000), game()).white.state
    assert flyordie.end_day(state, DAY - timedelta(days=1)) == OnlineOutcome(state)
    assert flyordie.end_day(state, DAY).state.rating == 1016 - 9
    assert flyordie.end_day(NEWCOMER, DAY) == OnlineOutcome(NEWCOMER)


def test_late_game_of_a_day_that_is_done_counts_from_the_next_day() -> None:
    done = flyordie.end_day(on_day(1000), DAY).state
    late = flyordie.rate_game(done, established(992), game(at=NOON - HOUR)).white.state
    assert late.closings == ((DAY, 992), (DAY + timedelta(days=1), 1008))
    assert flyordie.end_day(late, DAY).state.rating == 1008


# A cancelled game


def test_cancelled_game_gives_its_change_back_at_todays_rating() -> None:
    before = established(1000)
    after = flyordie.rate_game(before, established(1000), game()).white.state
    today = FlyOrDieState(rating=1216, games=60, closings=((DAY, 1216),))
    moved = Past(after, FlyOrDieState(rating=1216, games=59))
    on = DAY + timedelta(days=3)
    outcome = flyordie.reverse_game(today, before, Past(before, after), [moved], on)
    closings = ((DAY, 1216), (DAY + timedelta(days=3), 1200))
    assert outcome.state == FlyOrDieState(rating=1200, games=59, closings=closings)
    assert sentences(outcome) == ["Game cancelled: 1216 − 16 = 1200."]


def test_cancelled_game_does_not_take_a_rating_below_0() -> None:
    before = established(1000)
    after = flyordie.rate_game(before, established(1000), game()).white.state
    fallen = Past(after, FlyOrDieState(rating=5, games=60))
    undone = flyordie.reverse_game(
        FlyOrDieState(rating=5, games=60), before, Past(before, after), [fallen], DAY
    ).state
    assert undone.rating == 0


def test_cancelled_game_leaves_its_series_as_if_it_had_not_been_played() -> None:
    before = established(1000)
    first, second = series_of(before, established(1000), [WIN, WIN])
    one, two = Past(before, first.white.state), Past(first.white.state, second.white.state)
    undone = flyordie.reverse_game(second.white.state, before, two, [one], DAY).state
    assert undone == first.white.state
    gone = flyordie.reverse_game(first.white.state, before, one, [], DAY).state
    assert (gone.rating, gone.games, gone.series) == (1000, 50, ())


def test_cancelled_game_of_a_closed_series_leaves_the_others() -> None:
    before = established(1000)
    first = flyordie.rate_game(before, established(1000), game()).white.state
    later = game(DRAW, at=NOON + timedelta(days=2), black="cleo")
    today = flyordie.rate_game(first, established(1016), later).white.state
    on = DAY + timedelta(days=2)
    undone = flyordie.reverse_game(today, before, Past(before, first), [Past(first, today)], on).state
    assert (undone.rating, undone.series) == (1000, today.series)
