"""Places on a list: counted once, the same as by counting each time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import RatingList
from ratings.queries.ranking import Ranking, ranking_of
from ratings.services.publication.publish import publish_list
from tests.factories import FederationFactory, ListEntryFactory, RatingListFactory, noon


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


@pytest.mark.django_db
def test_published_list_is_counted_before_its_first_reader_comes(
    first_list: Callable[..., RatingList],
    django_capture_on_commit_callbacks: Any,
    django_assert_num_queries: Any,
) -> None:
    first_list({1001: 2000, 1002: 1900})
    with django_capture_on_commit_callbacks(execute=True):
        made = publish_list("rapid", date(2026, 2, 1), by=None, at=noon(date(2026, 2, 1))).rating_list
    read = RatingList.objects.get(pk=made.pk)
    with django_assert_num_queries(0):
        assert [ranking_of(read).place_of(rating) for rating in (2000, 1900)] == [1, 2]
