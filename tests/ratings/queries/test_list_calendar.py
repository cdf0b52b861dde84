"""The calendars of the lists, as they are read: published, verified, due."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from ratings.choices import PUBLISHED_KINDS, RunState, Work
from ratings.models import RatingList, Run
from ratings.queries.list_calendar import list_calendars, with_taken
from ratings.services.publication.publish import publish_lists
from tests.conftest import NOW
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish_after,
    round_robin,
)

FEBRUARY = date(2026, 2, 1)


def due_month(today: date) -> date | None:
    return list_calendars(today).due_month(PUBLISHED_KINDS)


def test_month_is_due_until_both_lists_stand(first_list: Callable[..., RatingList]) -> None:
    assert due_month(date(2026, 2, 1)) is None
    first_list({1001: 2000})
    first_list({}, kind="blitz")
    assert due_month(date(2026, 2, 1)) == date(2026, 2, 1)
    publish_lists(date(2026, 2, 1), by=None, at=NOW)
    assert due_month(date(2026, 2, 28)) is None


def test_lists_are_published_and_verified(
    db: None, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for kind in ("rapid", "blitz", "standard"):
        RatingListFactory(kind=kind, date=FEBRUARY)
    for kind, state in (("rapid", RunState.DONE), ("blitz", RunState.FAILED)):
        Run.objects.create(work=Work.VERIFY, subject=f"{kind} {FEBRUARY}", state=state, created_at=NOW)

    with django_assert_max_num_queries(1):
        lists = list_calendars(date(2026, 2, 3))

    rapid, blitz = lists.of("rapid"), lists.of("blitz")
    assert (rapid.newest, rapid.following) == (FEBRUARY, date(2026, 3, 1))
    assert (rapid.verified, blitz.verified) == ({FEBRUARY}, frozenset())
    assert lists.of("standard").published == {FEBRUARY}


def test_published_tournament_is_on_the_list_that_took_it(db: None) -> None:
    players = [PlayerFactory() for _ in range(3)]
    for player in players:
        ListEntryFactory(player=player)
    made = TournamentFactory()
    play_and_rate(made, players, round_robin(3))

    before = with_taken(list_calendars(FEBRUARY), [made])
    publish_after(made)
    after = with_taken(list_calendars(FEBRUARY), [made])

    assert (before.taken, after.taken) == ({}, {made.pk: FEBRUARY})
