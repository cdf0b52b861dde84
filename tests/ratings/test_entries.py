"""Where players stand on a list whose ratings many share."""

from __future__ import annotations

import pytest

from ratings.entries import LIST_ORDER, Filter, position_of, start_of_page_with
from ratings.models import ListEntry, RatingList
from ratings.ranking import Ranking
from tests import make

pytestmark = pytest.mark.django_db
RATINGS = (2100, 1900, 1900, 1400, 1400, 1400, 1400, 1100)
NAMES = ("B", "A", "Z", "K", "a", "K", "É", "C")


@pytest.fixture
def crowded() -> RatingList:
    """A list with a crowd at 1400, two of whom are called the same."""
    rating_list = make.rating_list()
    for rating, name in zip(RATINGS, NAMES, strict=True):
        make.entry(rating_list=rating_list, player__name=name, rating=rating)
    return rating_list


def in_order(rating_list: RatingList) -> list[ListEntry]:
    entries = rating_list.entries.all()
    return sorted(entries, key=lambda entry: (-entry.rating, entry.name.encode(), entry.player_id))


def test_list_order_is_by_rating_name_and_id(crowded: RatingList) -> None:
    assert list(crowded.entries.order_by(*LIST_ORDER)) == in_order(crowded)


@pytest.mark.parametrize("above", [0, 1, 2, 3, 9])
def test_page_with_a_player_begins_so_many_above(crowded: RatingList, above: int) -> None:
    entries = in_order(crowded)
    for place, entry in enumerate(entries):
        start = start_of_page_with(crowded, entry.player_id, above=above)
        assert start == (entries[place - above - 1] if place > above else None)


def test_page_with_a_player_who_is_not_listed_is_looked_up_in_vain(crowded: RatingList) -> None:
    with pytest.raises(LookupError):
        start_of_page_with(crowded, 99, above=3)


def test_position_tells_equal_ratings_apart(crowded: RatingList) -> None:
    ranking = Ranking.of(RATINGS)
    positions = [position_of(entry, crowded, ranking, Filter()) for entry in in_order(crowded)]
    assert positions == list(range(1, len(RATINGS) + 1))
