"""Every public page makes no more queries with three rows than with one, and 12 at most."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper
from django.test import Client

from players.models import Player
from ratings.models import ListEntry
from tests import make
from tests.growth import find_growing, pages_of

# How many rows and lists there are changes nothing in which queries a database gets: SQLite alone tries that.
pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PAGES = [
    "/",
    "/lists/",
    "/lists/rapid/2026-02-01/",
    "/lists/rapid/2026-01-01/",
    "/lists/rapid/2026-02-01/?federation=SUI",
    "/lists/rapid/2026-02-01/?sex=M&active=on",
    "/lists/rapid/2026-02-01/?sort=-change",
    "/lists/rapid/2026-02-01/?sort=born&sex=M",
    "/lists/rapid/2026-02-01/federations/",
    "/lists/rapid/2026-02-01/federations/SUI/",
    "/lists/rapid/2026-02-01/at/{hero}/",
    "/players/{hero}/",
    "/players/{hero}/?kind=rapid&chart=games",
    "/players/{hero}/on/2026-01-01/",
    "/players/{newcomer}/",
    "/players/{hero}/tournaments/",
    "/players/{hero}/record/",
    "/players/compare/?player={hero}&player={other}",
    "/players/{hero}/badge.svg",
    "/players/{hero}/rapid/2026-02-01/",
    "/players/{newcomer}/rapid/2026-02-01/",
    "/players/",
    "/players/?q=other",
    "/search?q=o",
    "/search?q=GM+{name}",
    "/tournaments/",
    "/tournaments/?view=results",
    "/tournaments/?view=all",
    "/tournaments/{event}/",
    "/tournaments/{event}/crosstable/",
    "/tournaments/{event}/rounds/1/",
    "/tournaments/{event}/report/",
    "/tournaments/{event}/report.trf",
    "/tournaments/{event}/results.csv",
    "/lists/rapid/2026-02-01/changes/",
    "/lists/rapid/2026-01-01/changes/",
    "/lists/rapid/2026-02-01/?continent=Europe&active=on",
    "/lists/rapid/2026-02-01/statistics/",
    "/federations/",
    "/federations/SUI/",
    "/federations/SUI/on/2026-02-01/",
    "/federations/SUI/history/",
    "/tools/",
    "/data/",
    "/data/datapackage.json",
    "/tools/worked-cases/",
    "/rules/",
    "/rules/reasons/",
]
FEEDS = [
    "/lists/feed.atom",
    "/players/{hero}/feed.atom",
    "/federations/SUI/feed.atom",
    "/sitemap.xml",
    "/sitemaps/pages.xml",
    "/sitemaps/tournaments-2026.xml",
]


def month_of(size: int = 1) -> dict[str, Any]:
    """Play a month of a size, and return what the addresses name of it."""
    month = make.play_month(size)
    people = {"hero": month.hero.pk, "newcomer": month.newcomer.pk, "other": month.others[0].pk}
    return {**people, "name": month.hero.name, "event": month.tournaments[0].event_id}


def test_pages_make_no_more_queries_for_three_rows_than_for_one(client: Client) -> None:
    def fill(size: int) -> dict[str, Any]:
        make.PlayerFactory.create_batch(size)
        return month_of(size)

    assert find_growing(fill, pages_of(client, *PAGES, *FEEDS)) == {}


def test_pages_read_no_more_rows_with_40_lists_than_with_4(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = counted_rows(monkeypatch)
    month = month_of()
    newest = date(2026, 1, 1)

    def rows_of_each_page(lists: int) -> dict[str, int]:
        for kind, number in product(("rapid", "blitz", "standard"), range(1, lists)):
            year, index = divmod(newest.year * 12 - number, 12)
            make.rating_list(kind=kind, date=date(year, index + 1, 1))
        read = {}
        for address in PAGES:
            for _ in ("the first reader after a publication", "another one"):
                rows.clear()
                client.get(address.format(**month))
            read[address] = sum(rows)
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


def test_pages_of_2000_players_make_no_more_queries_than_those_of_150(client: Client) -> None:
    def fill(size: int) -> dict[str, Any]:
        first = make.rating_list(kind="rapid", date=date(2026, 1, 1))
        players = Player.objects.bulk_create(
            make.PlayerFactory.build_batch(size, federation=make.federation())
        )
        ListEntry.objects.bulk_create(
            make.ListEntryFactory.build(rating_list=first, player=player, rating=1900) for player in players
        )
        event = make.tournament(kind="rapid", start=date(2026, 1, 10))
        make.play_and_rate(event, players, [(1, white, white + 1, "1-0") for white in range(1, size, 2)])
        make.publish("rapid", date(2026, 2, 1))
        return {"event": event.event_id, "player": players[0].pk}

    shown = pages_of(
        client,
        "/tournaments/{event}/",
        "/tournaments/{event}/crosstable/",
        "/tournaments/{event}/rounds/1/",
        "/lists/rapid/2026-02-01/",
        "/players/{player}/",
    )
    assert find_growing(fill, shown, sizes=(150, 2000)) == {}
