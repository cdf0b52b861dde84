"""The lists as they are read: by one row while nothing changes, and where tournaments are on them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from ratings.lists import dates_of_taken, read_lists
from ratings.models import RatingList
from tests import make

FEBRUARY = date(2026, 2, 1)


def test_lists_are_read_again_only_when_one_comes_or_goes(
    db: None, django_assert_num_queries: Callable[..., Any]
) -> None:
    made = make.rating_list(kind="rapid", date=FEBRUARY)
    first = read_lists()
    with django_assert_num_queries(1):
        assert read_lists() is first

    make.rating_list(kind="blitz", date=FEBRUARY)
    assert [item.kind for item in read_lists().newest_of_each()] == ["rapid", "blitz"]
    RatingList.objects.filter(pk=made.pk).delete()
    assert [item.kind for item in read_lists().newest_first] == ["blitz"]


def test_list_is_handed_out_as_a_copy(db: None) -> None:
    make.rating_list(kind="rapid", date=FEBRUARY, manifest={"kind": "rapid"})

    found = read_lists().newest("rapid")

    assert found is not None
    assert found.manifest == {"kind": "rapid"}
    assert "manifest" in read_lists().newest_first[0].get_deferred_fields()


def test_published_tournament_is_on_the_list_that_took_it(db: None) -> None:
    players = [make.player() for _ in range(3)]
    for player in players:
        make.entry(player=player)
    made = make.tournament()
    make.play_and_rate(made, players, make.round_robin(3))

    before = dates_of_taken([made.pk])
    make.publish_after(made)

    assert (before, dates_of_taken([made.pk])) == ({}, {made.pk: FEBRUARY})
