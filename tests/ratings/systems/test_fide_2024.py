"""The text applied from 1 January 2024: first ratings (7.2), differences (7.3.1) and K (7.3.3)."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.fide_rapid_blitz_2022 import RULES as RULES_2022
from ratings.systems.fide_rapid_blitz_2024 import RULES
from ratings.systems.otb.values import InitialRating, KFactor, PlayerState
from ratings.systems.registry import SHIPPED, NoRulesError, rules_named


@pytest.mark.parametrize(
    ("day", "rules"),
    [
        (date(2022, 1, 1), RULES_2022),
        (date(2023, 12, 31), RULES_2022),
        (date(2024, 1, 1), RULES),
        (date(2031, 5, 4), RULES),
    ],
)
def test_0_1_the_version_is_that_of_the_first_day(day: date, rules: object) -> None:
    assert SHIPPED.text_on(day) is rules


def test_d13_no_rules_are_held_before_2022() -> None:
    with pytest.raises(NoRulesError):
        SHIPPED.text_on(date(2021, 12, 31))


def test_rules_are_found_by_their_slug() -> None:
    assert rules_named("fide-rapid-blitz-2024") is RULES
    assert rules_named("fide-rapid-blitz-2022") is RULES_2022
    with pytest.raises(NoRulesError):
        rules_named("fide-rapid-blitz-2021")


@pytest.mark.parametrize(("day", "floor"), [(date(2023, 12, 1), 1000), (date(2024, 1, 1), 1400)])
def test_d14_the_floor_is_that_of_the_lists_date(day: date, floor: int) -> None:
    assert SHIPPED.text_on(day).floor == floor


# Sum of the opponents' ratings, games, half points; then Ra, p, dp, Ru, and whether 2200 capped it.
FIRST_RATINGS = [
    # Five opponents of 1500: Ra = (7500 + 3600) / 7.
    (7500, 5, 0, "1585 5/7", 14, -309, 1277, False),
    (7500, 5, 5, "1585 5/7", 50, 0, 1586, False),
    (7500, 5, 10, "1585 5/7", 86, 309, 1895, False),
    # Six opponents whose average with the two is 1600.5; the score with a point over eight ends in a half hundredth.
    (9204, 6, 0, "1600 1/2", 13, -322, 1279, False),
    (9204, 6, 4, "1600 1/2", 38, -87, 1514, False),
    (9204, 6, 6, "1600 1/2", 50, 0, 1601, False),
    (9204, 6, 8, "1600 1/2", 63, 95, 1696, False),
    (9204, 6, 12, "1600 1/2", 88, 336, 1937, False),
    # Up to 2200 and no more.
    (11000, 5, 10, "2085 5/7", 86, 309, 2200, True),
    (11800, 5, 5, "2200", 50, 0, 2200, False),
    (11803, 5, 5, "2200 3/7", 50, 0, 2200, False),
    (11804, 5, 5, "2200 4/7", 50, 0, 2200, True),
    # One game alone has a first rating too; whether it is published is another question.
    (1800, 1, 2, "1800", 67, 125, 1925, False),
]


@pytest.mark.parametrize(
    ("total", "games", "half_points", "average", "p", "difference", "rating", "is_capped"), FIRST_RATINGS
)
def test_7_2_3_and_7_2_4_first_rating(
    *,
    total: int,
    games: int,
    half_points: int,
    average: str,
    p: int,
    difference: int,
    rating: int,
    is_capped: bool,
) -> None:
    first = RULES.initial_rating(opponents_sum=total, games=games, half_points=half_points)
    assert first == InitialRating(games, half_points, average, p, difference, rating, is_capped)


@pytest.mark.parametrize(
    ("difference", "counted", "note"),
    [
        (0, 0, ""),
        (400, 400, ""),
        (-400, -400, ""),
        (401, 400, "capped-7.3.1"),
        (-401, -400, "capped-7.3.1"),
        (1500, 400, "capped-7.3.1"),
    ],
)
def test_7_3_1_more_than_400_counts_as_400(difference: int, counted: int, note: str) -> None:
    assert RULES.counted_differences([difference]) == [(counted, note)]


def test_7_3_1_caps_every_game_of_a_tournament() -> None:
    capped = (400, "capped-7.3.1")
    assert RULES.counted_differences([500, 401, 900, -500]) == [
        capped,
        capped,
        capped,
        (-400, "capped-7.3.1"),
    ]


# Year of birth, games completed, 2300 and 2400 reached, date of the list; K and the sentence that gave it.
K_FACTORS = [
    (1980, 0, False, False, date(2024, 1, 1), 40, "k40-newcomer-7.3.3"),
    (1980, 29, False, False, date(2024, 1, 1), 40, "k40-newcomer-7.3.3"),
    (1980, 30, False, False, date(2024, 1, 1), 20, "k20-7.3.3"),
    (1980, 30, True, False, date(2024, 1, 1), 20, "k20-7.3.3"),
    (1980, 30, True, True, date(2024, 1, 1), 10, "k10-reached-2400-7.3.3"),
    (1980, 3, True, True, date(2024, 1, 1), 10, "k10-reached-2400-7.3.3"),
    (2010, 3, True, True, date(2024, 1, 1), 10, "k10-reached-2400-7.3.3"),
    (2006, 30, False, False, date(2024, 12, 1), 40, "k40-junior-7.3.3"),
    (2006, 30, False, False, date(2025, 1, 1), 20, "k20-7.3.3"),
    (2006, 30, True, False, date(2024, 12, 1), 20, "k20-7.3.3"),
    (2006, 29, True, False, date(2024, 12, 1), 40, "k40-newcomer-7.3.3"),
    (None, 30, False, False, date(2024, 12, 1), 20, "k20-7.3.3"),
    (None, 0, False, False, date(2024, 12, 1), 40, "k40-newcomer-7.3.3"),
]


@pytest.mark.parametrize(("born", "completed", "at_2300", "at_2400", "on", "k", "reason"), K_FACTORS)
def test_d4_the_first_sentence_that_applies_gives_k(
    *, born: int | None, completed: int, at_2300: bool, at_2400: bool, on: date, k: int, reason: str
) -> None:
    known = PlayerState(completed=completed, reached_2300=at_2300, reached_2400=at_2400)
    assert RULES.list_k(known, birth_year=born, on=on) == KFactor(k, reason)


@pytest.mark.parametrize("k", [40, 20, 10])
def test_d4_the_k_of_the_list_in_force_serves_its_tournaments(k: int) -> None:
    assert RULES.tournament_k(KFactor(k, "k20-7.3.3")) == KFactor(k, "k20-7.3.3")


@pytest.mark.parametrize("born", [None, 1950, 2000, 2012])
def test_d21_k_by_a_standard_rating_is_that_of_a_newcomer(born: int | None) -> None:
    assert RULES.standard_k(born, date(2024, 3, 1)) == KFactor(40, "k40-newcomer-7.3.3")
