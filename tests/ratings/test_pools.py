"""The pool of an unrated player: what counts on which list, and when it lapses (FIDE R&B 2024, 6.1.4)."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.models import RatingList
from ratings.pools import pools_on
from ratings.systems.fide_rapid_blitz_2024 import RULES
from tests import make

FIRSTS = st.dates(date(2022, 1, 1), date(2040, 12, 31)).map(lambda day: day.replace(day=1))


@given(st.dates(date(2022, 1, 1), date(2035, 12, 31)), FIRSTS)
def test_event_is_in_the_pool_up_to_its_last_list(start: date, list_date: date) -> None:
    assert (start >= RULES.first_pool_month(list_date)) == (list_date <= RULES.last_list_with(start))


@pytest.mark.parametrize(
    ("start", "last"),
    [(date(2024, 2, 29), date(2026, 4, 1)), (date(2024, 11, 1), date(2027, 1, 1))],
)
def test_last_list_is_the_26th_after_the_month(start: date, last: date) -> None:
    assert RULES.last_list_with(start) == last


@pytest.mark.django_db
def test_pool_of_each_list_is_as_that_list_left_it() -> None:
    first = make.rating_list()
    rated = [make.entry(rating_list=first, rating=1800).player for _ in range(5)]
    newcomer = make.player()
    january = make.tournament(start=date(2026, 1, 10))
    make.play_and_rate(january, [newcomer, *rated[:2]], [(1, 1, 2, "1-0"), (2, 1, 3, "0-1")])
    second = make.publish("rapid", date(2026, 2, 1))
    february = make.tournament(start=date(2026, 2, 10))
    make.play_and_rate(
        february, [newcomer, *rated[2:]], [(1, 1, 2, "1-0"), (2, 1, 3, "0-1"), (3, 1, 4, "1/2")]
    )
    third = make.publish("rapid", date(2026, 3, 1))
    pools = pools_on([first, second, third], newcomer.pk)
    assert {pk: (pool.games, pool.missing) for pk, pool in pools.items()} == {second.pk: (2, 3)}


@pytest.mark.django_db
def test_first_rating_under_the_floor_is_expected_and_said_to_be_too_low() -> None:
    first = make.rating_list()
    rated = [make.entry(rating_list=first, rating=1400).player for _ in range(6)]
    newcomer = make.player()
    results = ["1/2", "0-1", "0-1", "0-1", "0-1", "0-1"]
    event = make.tournament()
    pairings = [(place, 1, place + 1, result) for place, result in enumerate(results, start=1)]
    make.play_and_rate(event, [newcomer, *rated], pairings)
    published: RatingList = make.publish("rapid", date(2026, 2, 1))
    pool = pools_on([published], newcomer.pk)[published.pk]
    assert pool.expected is not None
    assert (pool.games, pool.missing, pool.rules.floor) == (6, 0, 1400)
    assert (pool.expected.rating, pool.is_below_floor) == (1249, True)
