"""The text of 2022 (D-13): first ratings (7.23, 7.24), the one upgrade (7.31, D-3) and K 20 (7.32)."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.fide_rapid_blitz_2022 import RULES
from ratings.systems.otb.values import InitialRating, KFactor, PlayerState
from tests.ratings.systems.builders import DRAW, LOSS, WIN, event, rated

# Sum of the opponents' ratings, games, half points; then Ra, p, what is added to Ra, Ru.
FIRST_RATINGS = [
    (7500, 5, 5, "1500", 50, 0, 1500),
    (7500, 5, 6, "1500", 60, 20, 1520),
    (7500, 5, 7, "1500", 70, 40, 1540),
    (7500, 5, 10, "1500", 100, 100, 1600),
    (7500, 5, 4, "1500", 40, -72, 1428),
    (7500, 5, 0, "1500", 0, -800, 700),
    # Halves of Ra go away from zero after the sum.
    (9003, 6, 6, "1500 1/2", 50, 0, 1501),
    (9003, 6, 9, "1500 1/2", 75, 60, 1561),
    (9003, 6, 3, "1500 1/2", 25, -193, 1308),
    # D-7: 1/8 is .13, 3/8 is .38.
    (12800, 8, 2, "1600", 13, -322, 1278),
    (12800, 8, 6, "1600", 38, -87, 1513),
    # Half a point under 50% in so many games that p rounds to .50.
    (160000, 100, 99, "1600", 50, 0, 1600),
    # No hypothetical opponents, no highest first rating.
    (11500, 5, 10, "2300", 100, 100, 2400),
]


@pytest.mark.parametrize(("total", "games", "half_points", "average", "p", "gain", "rating"), FIRST_RATINGS)
def test_7_23_and_7_24_first_rating(
    total: int, games: int, half_points: int, average: str, p: int, gain: int, rating: int
) -> None:
    first = RULES.initial_rating(opponents_sum=total, games=games, half_points=half_points)
    assert first == InitialRating(games, half_points, average, p, gain, rating)


UPGRADE, NO_UPGRADE, CAPPED = "one-upgrade-7.31", "no-second-upgrade-7.31", "capped-7.3.1"


@pytest.mark.parametrize(
    ("differences", "counted"),
    [
        ([], []),
        ([400, -400], [(400, ""), (-400, "")]),
        ([401], [(400, UPGRADE)]),
        ([401, 500, 450], [(401, NO_UPGRADE), (400, UPGRADE), (450, NO_UPGRADE)]),
        ([500, 500], [(400, UPGRADE), (500, NO_UPGRADE)]),
        ([-401, -900], [(-400, CAPPED), (-400, CAPPED)]),
        ([-900, 500, 600], [(-400, CAPPED), (500, NO_UPGRADE), (400, UPGRADE)]),
    ],
)
def test_d3_the_higher_rated_has_one_upgrade_and_the_lower_rated_all(
    differences: list[int], counted: list[tuple[int, str]]
) -> None:
    assert RULES.counted_differences(differences) == counted


def test_d3_differences_without_upgrade_are_taken_as_they_are() -> None:
    played = event(date(2023, 5, 6), [(1550, WIN), (1500, WIN), (1264, LOSS)], own=rated(2000)).participation
    assert [(game.counted_difference, game.pd, game.change) for game in played.outcomes] == [
        (450, 94, 6),
        (500, 96, 4),
        (400, 92, -92),
    ]
    assert played.change == -82


def test_d3_a_difference_of_more_than_735_without_upgrade_gains_nothing() -> None:
    played = event(date(2023, 5, 6), [(1264, WIN), (1100, DRAW)], own=rated(2000)).participation
    assert [game.change for game in played.outcomes] == [0, -42]


@pytest.mark.parametrize("k", [40, 30, 20, 10, 0])
def test_d4_k_is_20_whatever_the_list_shows(k: int) -> None:
    assert RULES.tournament_k(KFactor(k)) == KFactor(20, "k20-7.32")


@pytest.mark.parametrize(("completed", "born", "reached"), [(0, 2010, False), (200, 1980, True)])
def test_7_32_k_on_a_list_is_20_in_all_cases(*, completed: int, born: int, reached: bool) -> None:
    known = PlayerState(completed=completed, reached_2300=reached, reached_2400=reached)
    assert RULES.list_k(known, birth_year=born, on=date(2023, 4, 1)) == KFactor(20, "k20-7.32")


def test_d21_k_by_a_standard_rating_is_20() -> None:
    assert RULES.standard_k(2010, date(2023, 4, 1)) == KFactor(20, "k20-7.32")


def test_7_31_difference_is_explained_by_the_articles_own_sentence() -> None:
    assert "only one game of a tournament" in RULES.articles[RULES.clauses.difference]
