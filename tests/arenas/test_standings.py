"""Lists as of an instant: made once, and made anew as soon as something up to the instant is recorded."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from arenas.days import end_arena_day
from arenas.games import cancel_game
from arenas.models import Arena
from tests.arenas.played import AT, game, ratings, record

pytestmark = pytest.mark.django_db(transaction=True)
EVENING = datetime(2026, 1, 10, 20, tzinfo=UTC)
MIDNIGHT = datetime(2026, 1, 11, tzinfo=UTC)


@pytest.fixture(autouse=True)
def played(flyordie: Arena) -> None:
    cache.clear()
    record(flyordie, *(game(number, "ada", "ben", "1-0") for number in range(1, 4)))


def reads_changes(arena: Arena, at: datetime) -> tuple[dict[str, str | None], bool]:
    """Return the ratings at an instant, and whether the changes themselves were read for them."""
    with CaptureQueriesContext(connection) as asked:
        found = ratings(arena, at=at)
    return found, any("games_before" in query["sql"] for query in asked)


def test_list_after_all_games_reads_no_changes(flyordie: Arena) -> None:
    end_arena_day(flyordie, EVENING.date(), at=AT)
    found, is_made = reads_changes(flyordie, MIDNIGHT)
    assert (is_made, found) == (False, ratings(flyordie))
    record(flyordie, game(20, "ben", "ada", "1-0"))
    assert reads_changes(flyordie, MIDNIGHT) == (found, True)
    assert ratings(flyordie) != found


def test_cancellation_leaves_the_lists_before_it_as_they_were(flyordie: Arena) -> None:
    found = ratings(flyordie, at=EVENING)
    cancel_game(flyordie.games.get(arena_game_id="g0001"), reason="Fair play.", at=AT)
    assert ratings(flyordie, at=EVENING) == found
    assert ratings(flyordie, at=AT) == ratings(flyordie) != found


def test_list_of_an_instant_is_made_once(flyordie: Arena) -> None:
    record(flyordie, game(20, "ben", "ada", "1-0"))
    first = reads_changes(flyordie, EVENING)
    record(flyordie, game(21, "ben", "ada", "1-0"))
    end_arena_day(flyordie, AT.date(), at=AT)
    again = reads_changes(flyordie, EVENING)
    assert (first[1], again) == (True, (first[0], False))
    assert ratings(flyordie, at=AT) != first[0]


def test_late_game_is_in_the_list_of_an_instant_at_once(flyordie: Arena) -> None:
    record(flyordie, game(9, "ada", "ben", "1-0"))
    before = ratings(flyordie, at=EVENING)
    record(flyordie, game(4, "cyd", "dan", "1-0"))
    found, is_made = reads_changes(flyordie, EVENING)
    assert (found != before, is_made) == (True, True)
    with transaction.atomic():
        assert ratings(flyordie, at=EVENING) == found


def test_instants_that_share_a_place_keep_their_own_lists(
    flyordie: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arenas.standings.KEPT_INSTANTS", 1)
    earlier = datetime(2026, 1, 10, 13, 30, tzinfo=UTC)
    found = [ratings(flyordie, at=at) for at in (EVENING, earlier, EVENING, earlier)]
    assert (found[:2], found[0] != found[1]) == (found[2:], True)


def test_changes_that_may_be_taken_back_are_not_kept(flyordie: Arena) -> None:
    before = ratings(flyordie, at=EVENING)
    with transaction.atomic():
        record(flyordie, game(5, "cyd", "dan", "1-0"))
        assert ratings(flyordie, at=EVENING) != before
        transaction.set_rollback(True)
    assert ratings(flyordie, at=EVENING) == before
