"""What changes a FIDE Online Arena rating besides a game: the FIDE lists (3.15, D-43) and cancelled games."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from ratings.systems import foa_rbb
from ratings.systems.foa_rbb import NEWCOMER, State
from ratings.systems.online.values import Outcome, Result, Step
from tests.ratings.systems.foa_rbb_games import DRAW, LOSS, WIN, after_games, keys, listed, sentences

# 3.15 and D-43


@pytest.mark.parametrize(
    ("change", "rating"),
    [
        (Fraction(12), 1512_00),
        (Fraction(-33, 10), 1496_70),
        (Fraction(1, 8), 1500_13),
        (Fraction(-1, 8), 1499_88),
        (0, 1500_00),
    ],
)
def test_3_15_change_of_the_fide_list_is_added_half_up(change: Fraction, rating: int) -> None:
    outcome = foa_rbb.adjust(listed(1500_00, games=3), change, list_date=date(2026, 3, 1))
    assert outcome.state == listed(rating, games=3, adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-3.15"]


def test_d_43_a_list_is_added_once() -> None:
    once = foa_rbb.adjust(listed(1500_00), 12, list_date=date(2026, 3, 1)).state
    twice = foa_rbb.adjust(once, 12, list_date=date(2026, 3, 1))
    assert twice == Outcome(once, (Step("adjusted-already-D-43", {"list": "2026-03-01"}),))
    assert foa_rbb.adjust(once, 12, list_date=date(2026, 4, 1)).state.rating == 1524_00


def test_d_43_an_unrated_member_gets_nothing_then_or_later() -> None:
    outcome = foa_rbb.adjust(NEWCOMER, 12, list_date=date(2026, 3, 1))
    assert outcome.state == State(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-unrated-D-43"]
    rated = after_games([DRAW] * 5, [1500_00] * 5, outcome.state).state
    assert foa_rbb.adjust(rated, 12, list_date=date(2026, 3, 1)).state.rating == 1500_00


def test_3_3_adjustment_under_the_floor_loses_the_rating() -> None:
    outcome = foa_rbb.adjust(listed(110_00), Fraction(-1001, 100), list_date=date(2026, 3, 1))
    assert outcome.state == State(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-3.15", "rating-lost-3.3"]


# A cancelled game


def test_cancelled_game_gives_its_change_back_at_todays_rating() -> None:
    before, after, today = listed(1500_00, games=7), listed(1509_40, games=8), listed(1533_35, games=12)
    outcome = foa_rbb.reverse_game(today, before=before, after=after)
    assert outcome.state == listed(1523_95, games=11)
    assert sentences(outcome) == ["A game was cancelled: from 1533.35 by -9.40 to 1523.95."]


def test_cancelled_game_may_lose_the_rating() -> None:
    outcome = foa_rbb.reverse_game(listed(105_00), before=listed(200_00), after=listed(206_00))
    assert outcome.state == NEWCOMER
    assert keys(outcome.steps) == ["cancelled-change", "rating-lost-3.3"]


@pytest.mark.parametrize("results", [[LOSS], [DRAW], [DRAW] * 5, [DRAW, LOSS, LOSS, LOSS, LOSS]])
def test_cancelled_latest_game_is_undone(results: list[Result]) -> None:
    *earlier, last = results
    before = after_games(earlier, [480_00] * len(earlier)).state
    after = after_games([last], [480_00], before).state
    adjusted = foa_rbb.adjust(after, 0, list_date=date(2026, 4, 1)).state
    assert foa_rbb.reverse_game(after, before=before, after=after).state == before
    undone = foa_rbb.reverse_game(adjusted, before=before, after=after).state
    assert undone == replace(before, adjusted_on=date(2026, 4, 1))


def test_cancelled_result_leaves_the_five() -> None:
    first = after_games([WIN], [1500_00]).state
    second = after_games([DRAW], [1600_00], first).state
    today = after_games([LOSS], [1700_00], second).state
    outcome = foa_rbb.reverse_game(today, before=first, after=second)
    assert outcome.state == State(games=2, opponents_sum=3200_00, half_points=2)
    assert keys(outcome.steps) == ["cancelled-result"]


def test_cancelled_first_target_leaves_only_losses_that_no_longer_count() -> None:
    first = after_games([WIN], [1500_00]).state
    today = after_games([LOSS, LOSS], [1700_00] * 2, first).state
    assert foa_rbb.reverse_game(today, before=NEWCOMER, after=first).state == NEWCOMER


def test_cancelled_game_behind_a_first_rating_leaves_it() -> None:
    first = after_games([WIN], [1500_00]).state
    rated = after_games([DRAW] * 4, [1500_00] * 4, first).state
    outcome = foa_rbb.reverse_game(rated, before=NEWCOMER, after=first)
    assert outcome.state == rated
    assert keys(outcome.steps) == ["cancelled-nothing"]
