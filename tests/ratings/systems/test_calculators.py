"""Calculators: worked examples by article, and agreement with the systems that rate real games."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.systems import fide_rapid_blitz_2022, fide_rapid_blitz_2024
from ratings.systems.calculators import (
    Met,
    OwnPlayer,
    first_rating,
    performance,
    rating_change,
)
from ratings.systems.otb.rules import PeriodRules
from ratings.systems.otb.values import PoolShare

TODAY = date(2026, 11, 21)
NEW, OLD = fide_rapid_blitz_2024.RULES, fide_rapid_blitz_2022.RULES
WIN, DRAW, LOSS = 2, 1, 0

games = st.lists(
    st.builds(
        Met, rating=st.none() | st.integers(1400, 2900), half_points=st.sampled_from([WIN, DRAW, LOSS])
    ),
    min_size=1,
    max_size=12,
)


def test_change_7_3_2_is_k_times_score_minus_pd() -> None:
    result = rating_change(NEW, OwnPlayer(2100, 20), [Met(2150, WIN), Met(2000, DRAW)], on=TODAY)
    assert [outcome.change for outcome in result.events[0].participation.outcomes] == [57, -14]
    assert (result.change, result.rounded, result.rating) == (860, 9, 2109)


@pytest.mark.parametrize(("rules", "changes"), [(NEW, [8, 8]), (OLD, [8, 5])])
def test_change_7_3_1_limits_the_difference_as_each_text_says(rules: PeriodRules, changes: list[int]) -> None:
    result = rating_change(rules, OwnPlayer(2100), [Met(1600, WIN), Met(1640, WIN)], on=TODAY)
    assert [outcome.change for outcome in result.events[0].participation.outcomes] == changes


def test_change_7_3_3_reduces_k_where_games_times_k_exceed_700() -> None:
    result = rating_change(NEW, OwnPlayer(1800, 40), [Met(1800, WIN)] * 18, on=TODAY)
    assert result.events[0].k == 38


def test_change_7_3_3_counts_the_games_that_the_list_has_already() -> None:
    """18 games in all, 16 of them before with a sum of 1.00: K is 38 for all of them."""
    own = OwnPlayer(1800, 40, games=16, change=100)
    result = rating_change(NEW, own, [Met(1800, WIN), Met(1800, WIN)], on=TODAY)
    assert [(event.k, event.change) for event in result.events] == [(38, 3800), (38, 3800)]
    assert (result.games, result.rating) == (18, 1876)


def test_change_6_2_1_under_the_floor_is_unrated() -> None:
    result = rating_change(NEW, OwnPlayer(1401, 40), [Met(1401, LOSS)], on=TODAY)
    assert (result.rating, result.outcome) == (None, "below-floor-6.2.1")


def test_games_of_an_unrated_player_join_the_pool_6_1_4() -> None:
    pool = (PoolShare("E1", date(2026, 5, 1), date(2026, 5, 1), 7600, 4, 4),)
    result = rating_change(NEW, OwnPlayer(pool=pool), [Met(1900, DRAW), Met(None, WIN)], on=TODAY)
    assert result.initial is not None
    assert (result.initial.games, result.rating) == (5, 1871)


def test_first_rating_7_2_4_by_both_texts() -> None:
    played = [Met(1900, DRAW)] * 5
    ratings = [found.rating for rules in (NEW, OLD) if (found := first_rating(rules, OwnPlayer(), played))]
    assert ratings == [1871, 1900]


def test_7_2_2_first_tournament_without_points_gives_no_initial_rating() -> None:
    lost = [Met(1800, LOSS)] * 5
    assert first_rating(NEW, OwnPlayer(), lost) is None
    pooled = OwnPlayer(pool=(PoolShare("E", date.min, date.min, 1800, 1, 2),))
    found = first_rating(NEW, pooled, lost)
    assert found is not None
    assert found.games == 6


def test_first_rating_needs_a_rated_opponent() -> None:
    assert first_rating(NEW, OwnPlayer(), [Met(None, WIN)]) is None


def test_performance_7_1_1_is_the_average_and_dp() -> None:
    found = performance([Met(2000, WIN), Met(2101, DRAW), Met(None, LOSS)])
    assert found is not None
    assert (found.average, found.p, found.dp, found.rating) == ("2050 1/2", 75, 193, 2244)
    assert performance([Met(None, WIN)]) is None


@given(rating=st.integers(1400, 2900), played=games)
def test_order_of_games_changes_nothing_over_the_board(rating: int, played: list[Met]) -> None:
    there = rating_change(NEW, OwnPlayer(rating), played, on=TODAY)
    back = rating_change(NEW, OwnPlayer(rating), played[::-1], on=TODAY)
    assert (there.change, there.rating) == (back.change, back.rating)
