"""Places on a list: counted once, the same as by counting each time."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.queries.ranking import Ranking, ranking_of
from tests.factories import FederationFactory, ListEntryFactory, RatingListFactory


@given(st.lists(st.integers(1000, 1020), max_size=30), st.integers(990, 1030))
def test_place_is_one_more_than_how_many_are_higher(ratings: list[int], rating: int) -> None:
    held = sorted(set(ratings))
    ranking = Ranking(tuple(held), tuple(sum(other <= one for other in ratings) for one in held))
    assert ranking.place_of(rating) == 1 + sum(other > rating for other in ratings)
    assert ranking.total == len(ratings)


@pytest.mark.django_db
def test_list_is_counted_once(django_assert_num_queries: Any) -> None:
    first = RatingListFactory()
    france = FederationFactory(code="FRA")
    for rating in (1500, 1600, 1600):
        ListEntryFactory(rating_list=first, rating=rating)
    ListEntryFactory(rating_list=first, rating=1550, player__federation=france)
    with django_assert_num_queries(1):
        assert [ranking_of(first).place_of(rating) for rating in (1600, 1550, 1500)] == [1, 3, 4]
    with django_assert_num_queries(1):
        assert ranking_of(first, federation="FRA").place_of(1550) == 1
        assert ranking_of(first, federation="FRA").total == 1
