"""What changes a FIDE Online Arena rating besides a game: the FIDE lists (3.15, D-43) and cancelled games."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from ratings.systems.online import foa_rbb
from ratings.systems.online.foa_rbb import NEWCOMER, FoaRbbState
from ratings.systems.online.values import OnlineOutcome, OnlineStep, Past, Result
from tests.ratings.systems.foa_rbb_games import DRAW, LOSS, WIN, after_games, keys, listed, pasts

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
    assert twice == OnlineOutcome(once, (OnlineStep("adjusted-already-D-43", {"list": "2026-03-01"}),))
    assert foa_rbb.adjust(once, 12, list_date=date(2026, 4, 1)).state.rating == 1524_00


def test_d_43_an_unrated_member_gets_nothing_then_or_later() -> None:
    outcome = foa_rbb.adjust(NEWCOMER, 12, list_date=date(2026, 3, 1))
    assert outcome.state == FoaRbbState(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-unrated-D-43"]
    rated = after_games([DRAW] * 5, [1500_00] * 5, outcome.state).state
    assert foa_rbb.adjust(rated, 12, list_date=date(2026, 3, 1)).state.rating == 1500_00


def test_3_3_adjustment_under_the_floor_loses_the_rating() -> None:
    outcome = foa_rbb.adjust(listed(110_00), Fraction(-1001, 100), list_date=date(2026, 3, 1))
    assert outcome.state == FoaRbbState(adjusted_on=date(2026, 3, 1))
    assert keys(outcome.steps) == ["adjustment-3.15", "rating-lost-3.3"]


# A cancelled game


def test_cancelled_game_gives_its_change_back_at_todays_rating() -> None:
    games = pasts([WIN, WIN, DRAW], [1500_00, 1600_00, 1400_00], listed(1500_00, games=7))
    changes = [
        (past.after.rating or 0) - (past.before.rating or 0) for past in games if past.after and past.before
    ]
    today = games[-1].after
    assert today is not None
    outcome = foa_rbb.reverse_game(today, listed(1500_00, games=7), games[1:])
    assert outcome.state == listed(1500_00 + changes[1] + changes[2], games=9)
    assert keys(outcome.steps) == ["cancelled-change"]


def test_cancelled_game_may_lose_the_rating() -> None:
    won = pasts([WIN, LOSS], [100_00, 300_00], listed(100_00))
    today = won[-1].after
    assert today is not None
    outcome = foa_rbb.reverse_game(today, listed(100_00), won[1:])
    assert outcome.state == NEWCOMER
    assert keys(outcome.steps) == ["cancelled-anew-D-88"]


@pytest.mark.parametrize("results", [[LOSS], [DRAW], [DRAW] * 5, [DRAW, LOSS, LOSS, LOSS, LOSS]])
def test_cancelled_latest_game_is_undone(results: list[Result]) -> None:
    *earlier, last = pasts(results, [480_00] * len(results))
    before, after = last.before, last.after
    assert before is not None
    assert after is not None
    assert foa_rbb.reverse_game(after, NEWCOMER, earlier).state == before
    adjusted = foa_rbb.adjust(after, 0, list_date=date(2026, 4, 1)).state
    undone = foa_rbb.reverse_game(adjusted, NEWCOMER, [*earlier, Past(after, adjusted)]).state
    assert undone == replace(before, adjusted_on=date(2026, 4, 1))


def test_d_88_cancelled_result_leaves_the_five() -> None:
    games = pasts([WIN, DRAW, LOSS], [1500_00, 1600_00, 1700_00])
    today = games[-1].after
    assert today is not None
    outcome = foa_rbb.reverse_game(today, NEWCOMER, [games[0], games[2]])
    assert outcome.state == FoaRbbState(games=2, opponents_sum=3200_00, half_points=2)
    assert keys(outcome.steps) == ["cancelled-anew-D-88"]


def test_d_88_cancelled_first_target_leaves_only_losses_that_no_longer_count() -> None:
    games = pasts([WIN, LOSS, LOSS], [1500_00, 1700_00, 1700_00])
    today = games[-1].after
    assert today is not None
    assert foa_rbb.reverse_game(today, NEWCOMER, games[1:]).state == NEWCOMER


def test_d_88_first_rating_contains_no_cancelled_game() -> None:
    """Five draws with 1500 made 1500; without one of them four are left, and the next game makes the fifth."""
    games = pasts([DRAW] * 5, [1500_00] * 5)
    rated = games[-1].after
    assert rated is not None
    outcome = foa_rbb.reverse_game(rated, NEWCOMER, games[1:])
    assert outcome.state == FoaRbbState(games=4, opponents_sum=6000_00, half_points=4)
    more = pasts([DRAW], [1600_00], rated)
    today = more[0].after
    assert today is not None
    again = foa_rbb.reverse_game(today, NEWCOMER, [*games[1:], *more])
    assert again.state == FoaRbbState(rating=1520_00, games=5)
