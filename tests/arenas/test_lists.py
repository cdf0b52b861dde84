"""Monthly lists: published once when they are due, never changed by what comes later."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.test import Client

from arenas.days import end_arena_day
from arenas.models import Arena, ArenaList
from arenas.monthly_lists import publish_due_lists
from ratings.models import RatingList
from tests import make
from tests.arenas.played import AT, enrol, game, record

pytestmark = pytest.mark.django_db

JANUARY = datetime(2026, 2, 1, 0, 30, tzinfo=UTC)
EVE = date(2026, 1, 31)


def dates(arena: Arena) -> list[date]:
    return list(arena.lists.order_by("date").values_list("date", flat=True))


def test_end_of_a_month_publishes_the_list_of_the_next_one(flyordie: Arena) -> None:
    record(flyordie, game(1, "ada", "ben", "1-0"))

    end_arena_day(flyordie, date(2026, 1, 30), at=datetime(2026, 1, 31, 0, 30, tzinfo=UTC))
    assert dates(flyordie) == []
    end_arena_day(flyordie, EVE, at=JANUARY)

    (made,) = flyordie.lists.all()
    assert (made.date, made.listed, made.entries.count()) == (date(2026, 2, 1), 4, 4)
    assert publish_due_lists(flyordie, at=AT) == []


def test_list_takes_the_reduction_of_its_eve_in_and_nothing_later(flyordie: Arena, client: Client) -> None:
    for number, result in enumerate(("1-0", "1-0", "1-0"), start=1):
        record(flyordie, game(number, "ada", "ben", result, played_at=f"2026-01-31T1{number}:00:00Z"))
    end_arena_day(flyordie, EVE, at=JANUARY)
    address = "/arenas/flyordie/lists/2026-02-01/list.json"
    published = client.get(address)

    record(flyordie, game(9, "ben", "ada", "1-0", played_at="2026-01-31T20:00:00Z"))
    end_arena_day(flyordie, date(2026, 2, 27), at=AT)

    assert client.get(address).content == published.content
    stored = ArenaList.objects.get(date=date(2026, 2, 1))
    assert stored.sha256 == hashlib.sha256(published.content).hexdigest()
    assert published.json()[0] == {
        "handle": "ada",
        "category": "all",
        "rating": "3",
        "shown": 3,
        "games": 3,
        "provisional": True,
    }


def test_missed_months_are_made_up_from_the_newest_list_on(flyordie: Arena) -> None:
    end_arena_day(flyordie, EVE, at=JANUARY)

    end_arena_day(flyordie, date(2026, 4, 2), at=datetime(2026, 4, 3, 1, tzinfo=UTC))

    assert dates(flyordie) == [date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1)]


def test_first_list_of_an_arena_is_that_of_the_latest_month(flyordie: Arena) -> None:
    end_arena_day(flyordie, date(2026, 4, 2), at=datetime(2026, 4, 3, 1, tzinfo=UTC))

    assert dates(flyordie) == [date(2026, 4, 1)]


def test_arena_without_members_has_no_list(chess_online: Arena) -> None:
    end_arena_day(chess_online, EVE, at=JANUARY)

    assert dates(chess_online) == []


def test_foa_waits_for_the_fide_lists_of_the_date(rated: Callable[..., Arena]) -> None:
    """As a new list of ours continues the imported ones, it takes effect on its day."""
    arena = rated(ada=1800, ben=1700)
    end_arena_day(arena, EVE, at=JANUARY)
    assert dates(arena) == []

    for kind in ("rapid", "blitz"):
        make.publish(kind, date(2026, 2, 1))

    assert RatingList.objects.filter(date=date(2026, 2, 1)).count() == 2
    assert dates(arena) == [date(2026, 2, 1)]


def test_foa_waits_to_the_end_of_the_first_day_only(rated: Callable[..., Arena]) -> None:
    arena = rated(ada=1800, ben=1700)
    end_arena_day(arena, EVE, at=JANUARY)

    end_arena_day(arena, date(2026, 2, 1), at=datetime(2026, 2, 2, 0, 30, tzinfo=UTC))

    assert dates(arena) == [date(2026, 2, 1)]


def test_files_have_the_rows_of_arena_list(rated: Callable[..., Arena], client: Client) -> None:
    arena = rated(ada=1800, ben=1700)
    enrol(arena, '=1+1,"<b>')
    end_arena_day(arena, date(2026, 2, 1), at=AT)

    rows = client.get("/arenas/foa-rbb/lists/2026-02-01/list.csv").content.decode().splitlines()

    assert rows[:4] == [
        "handle,category,rating,shown,games,provisional",
        "ada,rapid,1800.00,1800,0,false",
        "ben,rapid,1700.00,1700,0,false",
        '"\'=1+1,""<b>",rapid,,,0,false',
    ]
    assert len(rows) == 1 + 3 * 3


@pytest.mark.page
def test_list_that_there_is_not_is_a_404(rated: Callable[..., Arena], client: Client) -> None:
    end_arena_day(rated(ada=1800), date(2026, 2, 1), at=AT)

    places = ("2026-03-01/list.json", "2026-02-30/list.json", "2026-02-01/list.xml", "9999-99-99/list.csv")
    answers = [client.get(f"/arenas/foa-rbb/lists/{place}").status_code for place in places]
    assert answers == [404] * len(places)
