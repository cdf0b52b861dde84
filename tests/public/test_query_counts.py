"""Every public page makes the same queries with three rows as with one, and 12 at most."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from ratings.models import ListEntry
from tests.factories import (
    FederationFactory,
    ListEntryFactory,
    PlayerFactory,
    RatingListFactory,
    TournamentFactory,
    play_and_rate,
    publish,
)
from tests.ratings.played import Month, play_month

pytestmark = pytest.mark.django_db

Address = Callable[[Month], str]
PAGES: list[tuple[str, Address, int]] = [
    ("home", lambda month: "/", 9),
    ("lists", lambda month: "/lists/", 1),
    ("list", lambda month: "/lists/rapid/2026-02-01/", 10),
    ("imported list", lambda month: "/lists/rapid/2026-01-01/", 8),
    ("list of a federation", lambda month: "/lists/rapid/2026-02-01/?federation=SUI", 10),
    ("filtered list", lambda month: "/lists/rapid/2026-02-01/?sex=M&active=on", 9),
    ("list by change", lambda month: "/lists/rapid/2026-02-01/?sort=-change", 9),
    ("filtered list by age", lambda month: "/lists/rapid/2026-02-01/?sort=born&sex=M", 9),
    ("place on a list", lambda month: f"/lists/rapid/2026-02-01/at/{month.hero.pk}/", 4),
    ("player", lambda month: f"/players/{month.hero.pk}/", 12),
    ("player's games", lambda month: f"/players/{month.hero.pk}/?kind=rapid&chart=games", 12),
    ("player as of a list", lambda month: f"/players/{month.hero.pk}/on/2026-01-01/", 8),
    ("newcomer", lambda month: f"/players/{month.newcomer.pk}/", 12),
    ("player's tournaments", lambda month: f"/players/{month.hero.pk}/tournaments/", 5),
    ("record", lambda month: f"/players/{month.hero.pk}/record/", 5),
    (
        "two players",
        lambda month: f"/players/compare/?player={month.hero.pk}&player={month.others[0].pk}",
        10,
    ),
    ("badge", lambda month: f"/players/{month.hero.pk}/badge.svg", 3),
    ("player's picture", lambda month: f"/players/{month.hero.pk}/card.png", 4),
    ("list's picture", lambda month: "/lists/rapid/2026-02-01/card.png", 2),
    (
        "tournament's picture",
        lambda month: f"/tournaments/{month.tournaments[0].event_id}/card.png",
        5,
    ),
    ("calculation", lambda month: f"/players/{month.hero.pk}/rapid/2026-02-01/", 7),
    ("newcomer's calculation", lambda month: f"/players/{month.newcomer.pk}/rapid/2026-02-01/", 7),
    ("players", lambda month: "/players/", 6),
    ("players found", lambda month: "/players/?q=other", 6),
    ("everything found", lambda month: "/search?q=o", 8),
    ("a title and a full name found", lambda month: f"/search?q=GM+{month.hero.name}", 12),
    ("calendar", lambda month: "/tournaments/", 2),
    ("tournament", lambda month: f"/tournaments/{month.tournaments[0].event_id}/", 10),
    ("crosstable", lambda month: f"/tournaments/{month.tournaments[0].event_id}/crosstable/", 10),
    ("round", lambda month: f"/tournaments/{month.tournaments[0].event_id}/rounds/1/", 9),
    ("report", lambda month: f"/tournaments/{month.tournaments[0].event_id}/report/", 8),
    ("report as TRF", lambda month: f"/tournaments/{month.tournaments[0].event_id}/report.trf", 4),
    ("results as CSV", lambda month: f"/tournaments/{month.tournaments[0].event_id}/results.csv", 4),
    ("changes of a list", lambda month: "/lists/rapid/2026-02-01/changes/", 9),
    ("changes of an imported list", lambda month: "/lists/rapid/2026-01-01/changes/", 1),
    ("list of a continent", lambda month: "/lists/rapid/2026-02-01/?continent=Europe&active=on", 10),
    ("statistics of a list", lambda month: "/lists/rapid/2026-02-01/statistics/", 5),
    ("health of a list", lambda month: "/lists/rapid/2026-02-01/health/", 4),
    ("health by list", lambda month: "/lists/health/", 2),
    ("federations", lambda month: "/federations/", 5),
    ("federation", lambda month: "/federations/SUI/", 9),
    ("federation as of a list", lambda month: "/federations/SUI/on/2026-02-01/", 8),
    ("tools", lambda month: "/tools/", 0),
    ("rules", lambda month: "/rules/", 1),
    ("reasons", lambda month: "/rules/reasons/", 0),
]


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("address", "queries"), [row[1:] for row in PAGES], ids=[row[0] for row in PAGES])
def test_page_makes_the_same_queries_for_one_row_and_for_three(
    client: Client, django_assert_num_queries: Any, size: int, address: Address, queries: int
) -> None:
    month = play_month(size)
    PlayerFactory.create_batch(size)
    with django_assert_num_queries(queries):
        response = client.get(address(month))
    assert response.status_code in (200, 302)


def test_pages_read_no_more_rows_with_40_lists_than_with_4(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = counted_rows(monkeypatch)
    month = play_month()
    newest = date(2026, 1, 1)

    def rows_of_each_page(lists: int) -> dict[str, int]:
        for kind, number in product(("rapid", "blitz", "standard"), range(1, lists)):
            year, index = divmod(newest.year * 12 - number, 12)
            RatingListFactory(kind=kind, date=date(year, index + 1, 1))
        read = {}
        for name, address, _queries in PAGES:
            for _ in ("the first reader after a publication", "another one"):
                rows.clear()
                client.get(address(month))
            read[name] = sum(rows)
        return read

    assert rows_of_each_page(4) == rows_of_each_page(40)


def counted_rows(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that collects the number of rows of each database fetch."""
    fetched: list[int] = []

    def counting(name: str) -> Callable[..., Any]:
        def fetch(self: CursorWrapper, *args: Any) -> Any:
            found = getattr(self.cursor, name)(*args)
            fetched.append((found is not None) if name == "fetchone" else len(found))
            return found

        return fetch

    for name in ("fetchone", "fetchmany", "fetchall"):
        monkeypatch.setattr(CursorWrapper, name, counting(name), raising=False)
    return fetched


def test_no_page_makes_more_than_twelve_queries() -> None:
    assert [row[0] for row in PAGES if row[2] > 12] == []


@pytest.mark.parametrize("size", [150, 2000])
def test_pages_of_2000_players_make_the_queries_of_150(client: Client, size: int) -> None:
    first = RatingListFactory(kind="rapid", date=date(2026, 1, 1))
    players = Player.objects.bulk_create(PlayerFactory.build_batch(size, federation=FederationFactory()))
    ListEntry.objects.bulk_create(
        ListEntryFactory.build(rating_list=first, player=player, rating=1900) for player in players
    )
    event = TournamentFactory(kind="rapid", start=date(2026, 1, 10))
    play_and_rate(event, players, [(1, white, white + 1, "1-0") for white in range(1, size, 2)])
    publish("rapid", date(2026, 2, 1))
    addresses = {
        f"/tournaments/{event.event_id}/": 10,
        f"/tournaments/{event.event_id}/crosstable/": 9,
        f"/tournaments/{event.event_id}/rounds/1/": 8,
        "/lists/rapid/2026-02-01/": 10,
        f"/players/{players[0].pk}/": 11,
    }
    asked = {}
    for address in addresses:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        asked[address] = len(queries)
    assert asked == addresses
