"""Calculators of the API: the figures of the pages, errors by parameter."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.api.conftest import Get, Month


def test_change_from_typed_figures(month: Month, get: Get) -> None:
    answer = get("/calculators/change", {"rating": 2100, "games": "2150:1,1600:1,unrated:0"})
    assert [(game["change"], game["reasons"]) for game in answer["games"]] == [
        ("0.57", ["counted-7.3.2"]),
        ("0.08", ["counted-7.3.2", "capped-7.3.1"]),
        (None, ["unrated-opponent-7.3.1"]),
    ]
    assert (answer["change"], answer["rounded_change"], answer["rating"]) == ("13.00", 13, 2113)


@pytest.mark.parametrize(
    ("query", "text", "k", "change"),
    [
        ({}, "fide-rapid-blitz-2024", 20, "1.60"),
        ({"rules": "fide-rapid-blitz-2022"}, "fide-rapid-blitz-2022", 20, "0.80"),
        ({"on": "2023-12-31", "k": 40}, "fide-rapid-blitz-2022", 20, "0.80"),
        ({"on": "2023-12-31", "k": 19}, "fide-rapid-blitz-2022", 19, "0.76"),
        ({"on": "2024-01-01", "k": 17}, "fide-rapid-blitz-2024", 17, "1.36"),
    ],
)
def test_change_by_other_regulations_and_any_k(
    month: Month, get: Get, query: dict[str, Any], text: str, k: int, change: str
) -> None:
    """A difference of 500 beside one of 600 is capped by the text of 2024 alone: .08 is gained by it, else .04."""
    answer = get("/calculators/change", {"rating": 2100, "games": "1600:1,1500:1", **query})
    assert (answer["rules"], answer["k"]) == (text, k)
    assert Decimal(answer["games"][0]["change"]) * k == Decimal(change)


def test_performance_and_initial_rating(month: Month, get: Get) -> None:
    played = {"games": "2000:1,2101:0.5"}
    assert get("/calculators/performance", played)["rating"] == 2244
    first = get("/calculators/first-rating", played)
    assert (first["games"], first["is_enough"]) == (2, False)


@pytest.mark.parametrize(
    ("query", "name", "detail"),
    [
        ({}, "games", "This field is required."),
        (
            {"games": "2150"},
            "games",
            "Game 1 is not valid. Write `opponent:score` with a score of 1, 0.5 or 0.",
        ),
        (
            {"games": "2150:1,x:1"},
            "games",
            "Game 2 is not valid. Write `opponent:score` with a score of 1, 0.5 or 0.",
        ),
        ({"games": "99999999:1"}, "games", "No player has FIDE ID 99999999."),
        ({"games": "1800:1", "fide_id": 999999}, "fide_id", "No player has FIDE ID 999999."),
        (
            {"games": "1800:1", "fide_id": 1001, "rating": 1800},
            "rating",
            "Send either `fide_id` or `rating`, not both.",
        ),
        (
            {"games": "1800:1", "rules": "fide-rapid-blitz-2022", "on": "2023-01-01"},
            "on",
            "Send either `rules` or `on`, not both.",
        ),
        ({"games": "1800:1", "on": "2021-12-31"}, "on", "There are no regulations for this day."),
        ({"games": "1800:1", "k": 41}, "k", "Ensure this value is less than or equal to 40."),
        ({"games": ",".join(["1800:1"] * 101)}, "games", "Too many games. Send at most 100."),
    ],
)
def test_error_names_its_parameter(
    month: Month, get: Get, query: dict[str, Any], name: str, detail: str
) -> None:
    problem = get("/calculators/change", query, status=400)
    assert problem["errors"] == [{"name": name, "detail": detail}]
