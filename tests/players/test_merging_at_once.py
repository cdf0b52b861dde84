"""Merges of FIDE IDs at the same moment: each ID leads on to one person, and never in a circle."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import connection

from core.errors import RefusedError
from players.models import Player
from players.services.merging import merge_players
from ratings.models import Correction, Merger, RatingList
from ratings.services.publication.publish import publish_list
from tests.factories import AppointmentFactory, ListEntryFactory, PlayerFactory, RatingListFactory, noon
from tests.players.test_at_once import at_once

NOW = datetime(2026, 1, 20, 9, 30, tzinfo=UTC)
NEXT = date(2026, 2, 1)
# Records that differ take a second person.
NAME = "Alder, Ada"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _several_writers() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer")


@pytest.fixture
def merge() -> Callable[[Player, Player], Callable[[], Any]]:
    """Return a function that makes an act: whether the merge was done, or the key of the refusal."""
    staff = AppointmentFactory(role="staff").user

    def act_of(player: Player, into: Player) -> Callable[[], Any]:
        def act() -> Any:
            try:
                return merge_players(player, into=into, reason="One person.", by=staff, at=NOW)
            except RefusedError as error:
                return error.refusals[0].code

        return act

    return act_of


def successors(*players: Player) -> list[int | None]:
    found = Player.objects.in_bulk([one.pk for one in players])
    return [found[one.pk].merged_into_id for one in players]


def test_one_merge_asked_for_twice_at_once_is_made_once(merge: Callable[..., Any]) -> None:
    old, new = ListEntryFactory(player__name=NAME).player, PlayerFactory(name=NAME)

    done = at_once([merge(old, new)] * 3)

    assert sorted(done) == [False, False, True]
    assert (Correction.objects.count(), sorted(Merger.objects.values_list("kind", flat=True))) == (
        1,
        ["blitz", "rapid"],
    )


def test_two_ids_merged_into_each_other_at_once_make_no_circle(merge: Callable[..., Any]) -> None:
    one, other = PlayerFactory(name=NAME), PlayerFactory(name=NAME)

    done = at_once([merge(one, other), merge(other, one)])

    assert sorted(str(item) for item in done) in (["True", "into-merged"], ["True", "merged-already"])
    assert sorted(successors(one, other), key=str) in ([other.pk, None], [one.pk, None])


def test_chain_merged_at_once_leads_to_its_end_by_one_step(merge: Callable[..., Any]) -> None:
    first, second, third = (PlayerFactory(name=NAME) for _ in range(3))

    done = at_once([merge(first, second), merge(second, third)])

    if done == [True, True]:
        assert successors(first, second, third) == [third.pk, third.pk, None]
    else:
        assert done == ["into-merged", True]
        assert successors(first, second, third) == [None, third.pk, None]


def test_merge_while_a_list_is_published_is_taken_by_this_list_or_the_next(merge: Callable[..., Any]) -> None:
    """One of both IDs is listed, never both and never none."""
    first = RatingListFactory(date=date(2026, 1, 1))
    old = ListEntryFactory(rating_list=first, rating=1900, player__name=NAME).player
    new = PlayerFactory(name=NAME)

    done = at_once([merge(old, new), lambda: publish_list("rapid", NEXT, by=None, at=noon(NEXT))])
    publish_list("rapid", date(2026, 3, 1), by=None, at=noon(date(2026, 3, 1)))

    assert done[0]
    listed = [
        list(item.entries.values_list("player", "rating"))
        for item in RatingList.objects.filter(origin="published").order_by("date")
    ]
    assert listed[0] in ([(old.pk, 1900)], [(new.pk, 1900)])
    assert listed[1] == [(new.pk, 1900)]
