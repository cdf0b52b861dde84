"""The highlights of a federation on a list: who gained, is new, has a new highest rating, and who is best."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.highlights import MAX_CANDIDATES, SHOWN, Highlight, highlights_of
from ratings.models import ListEntry, RatingList
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def lists(db: None) -> list[RatingList]:
    """Return three monthly lists, the newest first."""
    return [make.rating_list(date=date(2026, month, 1)) for month in (3, 2, 1)]


def listed(ratings: list[int | None], lists: list[RatingList], **about: object) -> Player:
    """Return a new player with these ratings on the lists, the newest first; None is not listed."""
    player = make.player(**about)
    for rating, rating_list in zip(ratings, lists, strict=True):
        if rating is not None:
            make.entry(rating_list=rating_list, player=player, rating=rating)
    return player


def ids(rows: object) -> list[int]:
    return [row.player_id for row in rows]  # type: ignore[attr-defined]


def test_changes_are_since_the_list_before(lists: list[RatingList]) -> None:
    risen, fallen, newcomer, same = (
        listed(ratings, lists)
        for ratings in ([1850, 1800, 1900], [1700, 1750, 1700], [1600, None, None], [1500] * 3)
    )
    found = highlights_of(lists[0], "SUI", lists[1:])
    assert found.gains == [Highlight(risen.pk, risen.name, "", 1850, 1800)]
    assert ids(found.newcomers) == [newcomer.pk]
    assert (found.listed, found.came, found.rose, found.fell) == (4, 1, 1, 1)
    assert ids(found.top) == [risen.pk, fallen.pk, newcomer.pk, same.pk]


def test_a_highest_rating_is_higher_than_on_every_earlier_list(lists: list[RatingList]) -> None:
    listed([1850, 1800, 1850], lists)
    highest = listed([1851, 1800, 1850], lists)
    assert ids(highlights_of(lists[0], "SUI", lists[1:]).records) == [highest.pk]


def test_another_federation_is_left_out_and_a_transferred_player_is_not_new(lists: list[RatingList]) -> None:
    make.federation(code="JPN")
    listed([2500, 2400, 2400], lists, federation_id="JPN")
    player = listed([1800, 1790, None], lists)
    ListEntry.objects.filter(player=player, rating_list=lists[1]).update(federation="JPN")
    found = highlights_of(lists[0], "SUI", lists[1:])
    assert ids(found.gains) == ids(found.top) == [player.pk]
    assert found.came == 0


def test_women_and_juniors_are_active_and_juniors_are_under_20(lists: list[RatingList]) -> None:
    woman = listed([1900, None, None], lists, sex="F", birth_year=1990)
    junior = listed([1800, None, None], lists, sex="M", birth_year=2006)
    listed([1850, None, None], lists, sex="M", birth_year=2005)
    away = listed([2000, None, None], lists, sex="F", birth_year=2010)
    ListEntry.objects.filter(player=away).update(is_inactive=True)
    found = highlights_of(lists[0], "SUI", lists[1:])
    assert ids(found.women) == [woman.pk]
    assert ids(found.juniors) == [junior.pk]
    assert (found.listed, found.active) == (4, 3)


def test_first_list_has_no_changes(lists: list[RatingList]) -> None:
    listed([None, None, 1800], lists)
    found = highlights_of(lists[2], "SUI", [])
    assert (found.came, found.gains, found.newcomers, found.records) == (0, [], [], [])
    assert len(found.top) == 1


def test_new_players_are_kept_beyond_the_first_ten(lists: list[RatingList]) -> None:
    new = [listed([1800 + number, None, None], lists).pk for number in range(SHOWN + 2)]
    assert ids(highlights_of(lists[0], "SUI", lists[1:]).newcomers) == new[::-1]


def test_a_rating_without_a_year_of_birth_is_no_juniors(lists: list[RatingList]) -> None:
    listed([1800, None, None], lists, birth_year=None)
    assert highlights_of(lists[0], "SUI", lists[1:]).juniors == []


def test_queries_do_not_grow_with_the_federation_and_the_second_reader_makes_none(
    lists: list[RatingList],
) -> None:
    for place in range(SHOWN + 3):
        listed([1800 + place, 1790, 1790], lists)

    with CaptureQueriesContext(connection) as first:
        found = highlights_of(lists[0], "SUI", lists[1:])
    assert len(first) <= 3
    assert len(found.gains) == len(found.records) == SHOWN < MAX_CANDIDATES
    with CaptureQueriesContext(connection) as second:
        assert highlights_of(lists[0], "SUI", lists[1:]) == found
    assert len(second) == 0
