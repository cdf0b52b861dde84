"""The rating from which a long list is sorted by another column (ADR 23)."""

from __future__ import annotations

import pytest

from ratings.entries import Filter, floor_of, lowest_rating, sorted_entries
from ratings.models import RatingList
from ratings.ranking import Ranking
from tests import make

# Rated 2000: 2 players, 1900: 3, 1800: 5, 1700: 1.
RANKING = Ranking.from_counts({2000: 2, 1900: 3, 1800: 5, 1700: 1})


@pytest.mark.parametrize(
    ("top", "most", "expected"),
    [
        (None, 11, None),
        (None, 10, 1800),
        (None, 9, 1900),
        (None, 5, 1900),
        (None, 4, 2000),
        (None, 1, 2000),
        (1900, 9, None),
        (1900, 8, 1800),
        (1850, 6, None),
        (1850, 5, 1800),
        (1850, 3, 1800),
        (1500, 1, None),
    ],
)
def test_floor_leaves_at_most_so_many_but_never_parts_a_rating(
    top: int | None, most: int, expected: int | None
) -> None:
    assert lowest_rating(RANKING, top=top, most=most) == expected


@pytest.fixture
def listed() -> RatingList:
    """Six players of two federations, 2000 to 1950, the list longer than what is sorted at once."""
    found = make.rating_list(listed=6)
    for number in range(6):
        federation = make.federation(code="SUI" if number % 2 else "AUT")
        make.entry(
            rating_list=found,
            rating=2000 - 10 * number,
            games=number,
            player__name=f"P{number}, P",
            player__federation=federation,
        )
    return found


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "floor", "names"),
    [
        (Filter(), 1980, ["P2, P", "P1, P", "P0, P"]),
        (Filter(federation="SUI"), None, ["P5, P", "P3, P", "P1, P"]),
        (Filter(rating_to=1970), None, ["P5, P", "P4, P", "P3, P"]),
        (Filter(rating_to=1985), 1960, ["P4, P", "P3, P", "P2, P"]),
        (Filter(rating_from=1990), None, ["P1, P", "P0, P"]),
        (Filter(sex="F"), 1980, []),
    ],
)
def test_long_list_is_sorted_from_a_rating_on(
    listed: RatingList, monkeypatch: pytest.MonkeyPatch, chosen: Filter, floor: int | None, names: list[str]
) -> None:
    monkeypatch.setattr("ratings.entries.MAX_SORTED", 3)
    entries, found = sorted_entries(listed, chosen, "-games", compared=None)
    assert floor_of(listed, chosen) == found == floor
    assert [entry.name for entry in entries.order_by("-games")] == names


@pytest.mark.django_db
def test_short_list_is_sorted_whole(listed: RatingList) -> None:
    entries, floor = sorted_entries(listed, Filter(), "games", compared=None)
    assert (floor, entries.count()) == (None, 6)
