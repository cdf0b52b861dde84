"""FIDE Online Arena and the FIDE lists: first ratings on joining, and the monthly adjustment (3.4, 3.15, D-43)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

from arenas.models import Arena, Change
from arenas.services.fide_lists import adjust_arenas
from ratings.models import Calculation, RatingList
from tests.arenas.played import AT, enrol, game, ratings, record
from tests.factories import (
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
    publish_after,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (
            {"standard": 2000, "rapid": 1900, "blitz": 1800},
            {"rapid": "1900.00", "blitz": "1800.00", "bullet": "1800.00"},
        ),
        ({"standard": 2000, "rapid": 1900}, {"rapid": "1900.00", "blitz": "1900.00", "bullet": "1900.00"}),
        ({"standard": 2000}, {"rapid": "2000.00", "blitz": "2000.00", "bullet": "2000.00"}),
        ({"blitz": 1800}, {"rapid": None, "blitz": "1800.00", "bullet": "1800.00"}),
        ({}, {"rapid": None, "blitz": None, "bullet": None}),
    ],
)
def test_first_rating_comes_from_the_first_list_that_has_one_3_4(
    foa: Arena, listed: dict[str, int], expected: dict[str, str | None]
) -> None:
    player = PlayerFactory()
    for kind, rating in listed.items():
        ListEntryFactory(rating_list=RatingListFactory(kind=kind), player=player, rating=rating)

    enrol(foa, "ada", fide_id=player.fide_id)

    assert {category: ratings(foa, category)["ada"] for category in expected} == expected


def test_first_rating_comes_from_the_list_in_force_on_joining(foa: Arena) -> None:
    player = PlayerFactory()
    for month, rating in ((1, 1700), (2, 1800), (3, 1900)):
        in_month = RatingListFactory(kind="rapid", date=date(2026, month, 1))
        ListEntryFactory(rating_list=in_month, player=player, rating=rating)

    for handle, joined in (("before", "2026-01-31"), ("on", "2026-02-01"), ("after", "2026-02-28")):
        enrol(foa, handle, fide_id=player.fide_id, joined=joined)

    assert ratings(foa, "rapid") == {"after": "1800.00", "on": "1800.00", "before": "1700.00"}


def _over_the_board(score: str = "1-0") -> RatingList:
    """Return the rapid list of February that takes one game between the members ada and ben."""
    players = [PlayerFactory._meta.model.objects.get(fide_id=fide_id) for fide_id in (1001, 1002)]
    tournament = TournamentFactory(kind="rapid", start=date(2026, 1, 10))
    play_and_rate(tournament, players, [(1, 1, 2, score)])
    return publish_after(tournament)


def test_published_list_adds_the_unrounded_change_once(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1760)

    rating_list = _over_the_board()

    stored = dict(Calculation.objects.values_list("player_id", "change_hundredths"))
    assert stored == {1001: 880, 1002: -880}
    assert ratings(arena, "rapid") == {"ada": "1808.80", "ben": "1751.20"}
    assert ratings(arena, "blitz") == {"ada": "1800.00", "ben": "1760.00"}
    assert ratings(arena, "bullet") == {"ada": "1800.00", "ben": "1760.00"}
    publish("rapid", rating_list.date)
    adjust_arenas(rating_list, at=AT)
    assert ratings(arena, "rapid") == {"ada": "1808.80", "ben": "1751.20"}


def test_correction_lines_count(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1760)
    rating_list = RatingListFactory(kind="blitz", date=date(2026, 2, 1), origin="published")
    Calculation.objects.create(
        rating_list=rating_list,
        player_id=1001,
        base_rating=1800,
        change_hundredths=125,
        correction_hundredths=-300,
        result="change-7.3.4",
    )

    adjust_arenas(rating_list, at=AT)

    assert ratings(arena, "blitz") == {"ada": "1798.25", "ben": "1760.00"}


@pytest.mark.parametrize("origin", ["imported", "published"])
def test_initial_rating_and_imported_list_add_nothing(rated: Callable[..., Arena], origin: str) -> None:
    arena = rated(ada=1800, ben=1760)
    rating_list = RatingListFactory(kind="rapid", date=date(2026, 2, 1), origin=origin)
    base = 1800 if origin == "imported" else None
    Calculation.objects.create(
        rating_list=rating_list,
        player_id=1001,
        base_rating=base,
        change_hundredths=500,
        result="initial-7.2.4",
    )

    adjust_arenas(rating_list, at=AT)

    assert ratings(arena, "rapid") == {"ada": "1800.00", "ben": "1760.00"}


def test_unrated_member_gets_nothing_and_is_told_so(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=None)
    rating_list = RatingListFactory(kind="rapid", date=date(2026, 2, 1), origin="published")
    Calculation.objects.create(
        rating_list=rating_list,
        player_id=1002,
        base_rating=1500,
        change_hundredths=500,
        result="change-7.3.4",
    )

    adjust_arenas(rating_list, at=AT)

    assert ratings(arena, "rapid") == {"ada": "1800.00", "ben": None}
    change = Change.objects.get(cause="list")
    assert [step["key"] for step in change.steps] == ["adjustment-unrated-D-43"]


def test_rating_that_a_list_brings_under_100_is_lost_3_3(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=101, ben=1760)
    rating_list = RatingListFactory(kind="rapid", date=date(2026, 2, 1), origin="published")
    Calculation.objects.create(
        rating_list=rating_list,
        player_id=1001,
        base_rating=1400,
        change_hundredths=-101,
        result="change-7.3.4",
    )

    adjust_arenas(rating_list, at=AT)

    assert ratings(arena, "rapid") == {"ben": "1760.00", "ada": None}


def test_adjustment_takes_effect_at_the_start_of_the_lists_day(rated: Callable[..., Arena]) -> None:
    """Also where the list comes after games of its month: those stay as they were rated."""
    arena = rated(ada=1800, ben=1760)
    record(arena, game(1, "ada", "ben", "1/2-1/2", played_at="2026-02-01T10:00:00Z"))
    _over_the_board()

    at = {
        text: ratings(arena, "rapid", at=datetime.fromisoformat(text).replace(tzinfo=UTC))["ada"]
        for text in ("2026-01-31T23:59:59", "2026-02-01", "2026-02-01T10:00:00")
    }

    assert at == {
        "2026-01-31T23:59:59": "1800.00",
        "2026-02-01": "1808.80",
        "2026-02-01T10:00:00": "1807.60",
    }
