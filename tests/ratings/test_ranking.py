"""Places on a list: counted once, the same as by counting each time."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from ratings.choices import EntryStatus
from ratings.lists import read_lists
from ratings.models import RatingList
from ratings.profile import profiles_of
from ratings.publish.publish import publish_list
from ratings.ranking import (
    RankedAmong,
    Ranking,
    count_rankings,
    keep,
    places_of,
    ranking_of,
    rankings_of,
)
from tests import make


@given(st.lists(st.integers(1000, 1020), max_size=30), st.integers(990, 1030))
def test_rank_is_the_number_of_higher_ratings_plus_one(ratings: list[int], rating: int) -> None:
    held = sorted(set(ratings))
    ranking = Ranking(tuple(held), tuple(sum(other <= one for other in ratings) for one in held))
    assert ranking.place_of(rating) == 1 + sum(other > rating for other in ratings)
    assert ranking.total == len(ratings)


@pytest.mark.django_db
def test_list_is_ranked_once(django_assert_max_num_queries: Any) -> None:
    first = make.rating_list()
    france = make.federation(code="FRA")
    for rating in (1500, 1600, 1600):
        make.entry(rating_list=first, rating=rating)
    make.entry(rating_list=first, rating=1550, player__federation=france)
    with django_assert_max_num_queries(1):
        assert [ranking_of(first).place_of(rating) for rating in (1600, 1550, 1500)] == [1, 3, 4]
    with django_assert_max_num_queries(1):
        assert ranking_of(first, federation="FRA").place_of(1550) == 1
        assert ranking_of(first, federation="FRA").total == 1


@pytest.mark.django_db
def test_ranks_by_continent_and_among_active_players(django_assert_max_num_queries: Any) -> None:
    first = make.rating_list()
    europe = make.federation(code="FRA", continent="Europe")
    africa = make.federation(code="TUN", continent="Africa")
    for rating, federation, is_inactive in (
        (1500, europe, False),
        (1600, europe, True),
        (1700, africa, False),
    ):
        make.entry(rating_list=first, rating=rating, player__federation=federation, is_inactive=is_inactive)
    with django_assert_max_num_queries(1):
        assert ranking_of(first).place_of(1500) == 3
        assert ranking_of(first, is_active=True).place_of(1500) == 2
        assert ranking_of(first, continent="Europe").place_of(1500) == 2
        assert ranking_of(first, continent="Europe", is_active=True).place_of(1500) == 1
        assert ranking_of(first, continent="Africa").total == 1
    with django_assert_max_num_queries(1):
        assert ranking_of(first, federation="FRA", is_active=True).total == 1
        assert ranking_of(first, federation="FRA").total == 2


@pytest.mark.django_db
def test_part_without_players_is_ranked_once(django_assert_max_num_queries: Any) -> None:
    first = make.rating_list()
    with django_assert_max_num_queries(2):
        assert [ranking_of(first, continent="Asia").total for _ in range(3)] == [0, 0, 0]
        assert [ranking_of(first, federation="MLT").total for _ in range(3)] == [0, 0, 0]


COUNTRIES = {"FRA": "Europe", "SUI": "Europe", "TUN": "Africa", "FID": ""}


@pytest.mark.django_db
@pytest.mark.parametrize("players", [1, 3])
def test_whole_list_is_ranked_in_two_queries_and_its_parts_in_none(
    players: int, django_assert_max_num_queries: Any
) -> None:
    first = make.rating_list()
    for number, (code, continent) in enumerate(COUNTRIES.items()):
        federation = make.federation(code=code, continent=continent)
        for rating in range(1500, 1500 + players):
            is_inactive = (number + rating) % 2 == 0
            make.entry(
                rating_list=first, rating=rating, player__federation=federation, is_inactive=is_inactive
            )
    make.entry(rating_list=first, rating=1999, status=EntryStatus.UNRATED)
    named = [RankedAmong(first, federation=code) for code in COUNTRIES]
    parts = [
        RankedAmong(first),
        RankedAmong(first, continent="Europe"),
        RankedAmong(first, continent="Africa"),
        *named,
    ]
    by_each = rankings_of(parts)
    cache.clear()
    with django_assert_max_num_queries(2):
        keep(count_rankings(first))
    with django_assert_max_num_queries(0):
        assert rankings_of(parts) == by_each
    assert [by_each[part].every.total for part in parts[:3]] == [4 * players, 2 * players, players]


@pytest.mark.django_db
def test_list_without_players_is_ranked(django_assert_max_num_queries: Any) -> None:
    first = make.rating_list()
    keep(count_rankings(first))
    with django_assert_max_num_queries(0):
        assert ranking_of(first).total == 0


@pytest.mark.django_db
def test_ranks_of_a_player_on_three_lists_take_two_queries(django_assert_max_num_queries: Any) -> None:
    france = make.federation(code="FRA", continent="Europe")
    egypt = make.federation(code="EGY", continent="Africa")
    player = make.player(federation=france)
    for kind in ("rapid", "blitz", "standard"):
        chosen = make.rating_list(kind=kind)
        make.entry(rating_list=chosen, player=player, rating=1500, is_inactive=kind == "blitz")
        make.entry(rating_list=chosen, rating=1600, player__federation=egypt)
    profiles = profiles_of(player.pk, read_lists())
    with django_assert_max_num_queries(2):
        places = places_of(profiles)
    told = {
        kind: [(place.scope, place.within, place.every, place.active) for place in of_kind]
        for kind, of_kind in places.items()
    }
    assert told == {
        "rapid": [("world", "", 2, 2), ("continent", "Europe", 1, 1), ("federation", "FRA", 1, 1)],
        "blitz": [("world", "", 2, None), ("continent", "Europe", 1, None), ("federation", "FRA", 1, None)],
        "standard": [("world", "", 2, 2), ("continent", "Europe", 1, 1)],
    }


@pytest.mark.django_db
def test_published_list_is_ranked_before_its_first_reader(
    django_capture_on_commit_callbacks: Any, django_assert_max_num_queries: Any
) -> None:
    make.first_list({1001: 2000, 1002: 1900})
    with django_capture_on_commit_callbacks(execute=True):
        made = publish_list("rapid", date(2026, 2, 1), by=None, at=make.noon(date(2026, 2, 1))).rating_list
    read = RatingList.objects.get(pk=made.pk)
    codes = read.entries.values_list("federation", flat=True).distinct()
    parts = [RankedAmong(read), *(RankedAmong(read, federation=code) for code in codes)]
    with django_assert_max_num_queries(0):
        assert [ranking_of(read).place_of(rating) for rating in (2000, 1900)] == [1, 2]
        assert sum(rankings.every.total for rankings in rankings_of(parts).values()) == 4
