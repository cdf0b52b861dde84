"""Variants of a text: what a proposal changes is changed, and all else is as in the text."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.otb.values import PlayerState
from ratings.systems.registry import rules_named
from ratings.systems.variants import CAPPED, SINGLE_K, Parameters

TEXT = "fide-rapid-blitz-2024"
OLD = "fide-rapid-blitz-2022"
DAY = date(2026, 2, 1)
KNOWN = PlayerState(completed=50, reached_2400=True)


def test_own_cap_holds_for_every_game() -> None:
    rules = Parameters(TEXT, cap=500).rules
    assert rules.counted_differences([450, -501, 700]) == [(450, ""), (-500, CAPPED.key), (500, CAPPED.key)]
    assert Parameters(TEXT, k=30).rules.counted_differences([450]) == rules_named(TEXT).counted_differences(
        [450]
    )
    # The text of 2022 caps one game of the higher rated; an own cap knows no such game.
    assert Parameters(OLD, cap=400).rules.counted_differences([700, 800]) == [(400, CAPPED.key)] * 2


def test_single_k_is_everybodys_and_stays_limited_by_games() -> None:
    rules = Parameters(TEXT, k=30).rules
    assert (
        rules.list_k(KNOWN, birth_year=1980, on=DAY).k
        == rules.tournament_k(10)
        == rules.standard_k(1980, DAY)
        == 30
    )
    assert (rules.reduced_k(30, 23), rules.reduced_k(30, 24)) == (30, 29)
    plain = Parameters(TEXT, cap=500).rules
    assert (plain.tournament_k(10), plain.list_k(KNOWN, birth_year=1980, on=DAY).k) == (10, 10)


def test_initial_rating_floor_and_inactivity_are_those_of_the_proposal() -> None:
    rules = Parameters(TEXT, floor=1200, initial=OLD, active_lists=6).rules
    assert (rules.floor, rules.active_lists) == (1200, 6)
    pool = {"opponents_sum": 5 * 1900, "games": 5, "half_points": 6}
    # 2022: the average of 1900 and 20 for the half point above 50 %; 2024: towards 1800.
    assert rules.initial_rating(**pool).rating == 1920
    assert Parameters(TEXT, floor=1200).rules.initial_rating(**pool).rating == 1921


def test_reasons_of_a_variant_are_explained() -> None:
    rules = Parameters(TEXT, cap=500).rules
    assert {CAPPED.key, SINGLE_K.key, *rules_named(TEXT).reasons} == set(rules.reasons)


def test_parameters_are_kept_as_they_are() -> None:
    parameters = Parameters(TEXT, cap=500, k=30)
    assert parameters.as_row() == {"text": TEXT, "cap": 500, "k": 30}
    assert Parameters.from_row(parameters.as_row()) == parameters
    assert (parameters.changes_nothing, Parameters(TEXT).changes_nothing) == (False, True)


@pytest.mark.parametrize(
    ("figures", "field"),
    [
        ({"cap": 99}, "cap"),
        ({"k": 101}, "k"),
        ({"floor": 99}, "floor"),
        ({"active_lists": 0}, "active_lists"),
    ],
)
def test_parameters_have_bounds(figures: dict[str, int], field: str) -> None:
    assert [name for name, _least, _most in Parameters(TEXT, **figures).out_of_bounds()] == [field]
