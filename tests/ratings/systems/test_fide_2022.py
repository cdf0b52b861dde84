"""The text of 2022 (D-13): first ratings (7.23, 7.24), the one upgrade (7.31, D-3) and K 20 (7.32)."""

from __future__ import annotations

from datetime import date

import pytest

from ratings.systems.fide_rapid_blitz_2022 import RULES
from ratings.systems.otb.values import KFactor, PlayerState

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
    assert "only one game of a tournament" in RULES.articles[RULES.clauses["difference"]]
