"""Every public page makes no more queries with three rows than with one, and 12 at most."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
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

Address = Callable[[make.Month], str]
PAGES: list[tuple[str, Address]] = [
    ("home", lambda month: "/"),
    ("lists", lambda month: "/lists/"),
    ("list", lambda month: "/lists/rapid/2026-02-01/"),
    ("imported list", lambda month: "/lists/rapid/2026-01-01/"),
    ("list of a federation", lambda month: "/lists/rapid/2026-02-01/?federation=SUI"),
    ("filtered list", lambda month: "/lists/rapid/2026-02-01/?sex=M&active=on"),
    ("list by change", lambda month: "/lists/rapid/2026-02-01/?sort=-change"),
    ("filtered list by age", lambda month: "/lists/rapid/2026-02-01/?sort=born&sex=M"),
    ("federations of a list", lambda month: "/lists/rapid/2026-02-01/federations/"),
    ("highlights", lambda month: "/lists/rapid/2026-02-01/federations/SUI/"),
    ("place on a list", lambda month: f"/lists/rapid/2026-02-01/at/{month.hero.pk}/"),
    ("player", lambda month: f"/players/{month.hero.pk}/"),
    ("player's games", lambda month: f"/players/{month.hero.pk}/?kind=rapid&chart=games"),
    ("player as of a list", lambda month: f"/players/{month.hero.pk}/on/2026-01-01/"),
    ("newcomer", lambda month: f"/players/{month.newcomer.pk}/"),
    ("player's tournaments", lambda month: f"/players/{month.hero.pk}/tournaments/"),
    ("record", lambda month: f"/players/{month.hero.pk}/record/"),
    (
        "two players",
        lambda month: f"/players/compare/?player={month.hero.pk}&player={month.others[0].pk}",
    ),
    ("badge", lambda month: f"/players/{month.hero.pk}/badge.svg"),
    ("calculation", lambda month: f"/players/{month.hero.pk}/rapid/2026-02-01/"),
    ("newcomer's calculation", lambda month: f"/players/{month.newcomer.pk}/rapid/2026-02-01/"),
    ("players", lambda month: "/players/"),
    ("players found", lambda month: "/players/?q=other"),
    ("everything found", lambda month: "/search?q=o"),
    ("a title and a full name found", lambda month: f"/search?q=GM+{month.hero.name}"),
    ("calendar", lambda month: "/tournaments/"),
    ("results of the calendar", lambda month: "/tournaments/?view=results"),
    ("whole calendar", lambda month: "/tournaments/?view=all"),
    ("tournament", lambda month: f"/tournaments/{month.tournaments[0].event_id}/"),
    ("crosstable", lambda month: f"/tournaments/{month.tournaments[0].event_id}/crosstable/"),
    ("round", lambda month: f"/tournaments/{month.tournaments[0].event_id}/rounds/1/"),
    ("report", lambda month: f"/tournaments/{month.tournaments[0].event_id}/report/"),
    ("report as TRF", lambda month: f"/tournaments/{month.tournaments[0].event_id}/report.trf"),
    ("results as CSV", lambda month: f"/tournaments/{month.tournaments[0].event_id}/results.csv"),
    ("changes of a list", lambda month: "/lists/rapid/2026-02-01/changes/"),
    ("changes of an imported list", lambda month: "/lists/rapid/2026-01-01/changes/"),
    ("list of a continent", lambda month: "/lists/rapid/2026-02-01/?continent=Europe&active=on"),
    ("statistics of a list", lambda month: "/lists/rapid/2026-02-01/statistics/"),
    ("federations", lambda month: "/federations/"),
    ("federation", lambda month: "/federations/SUI/"),
    ("federation as of a list", lambda month: "/federations/SUI/on/2026-02-01/"),
    ("figures of a federation", lambda month: "/federations/SUI/history/"),
    ("tools", lambda month: "/tools/"),
    ("data", lambda month: "/data/"),
    ("data package", lambda month: "/data/datapackage.json"),
    ("worked cases", lambda month: "/tools/worked-cases/"),
    ("rules", lambda month: "/rules/"),
    ("reasons", lambda month: "/rules/reasons/"),
]
FEEDS: list[tuple[str, Address]] = [
    ("feed of the lists", lambda month: "/lists/feed.atom"),
    ("feed of a player", lambda month: f"/players/{month.hero.pk}/feed.atom"),
    ("feed of a federation", lambda month: "/federations/SUI/feed.atom"),
    ("sitemap", lambda month: "/sitemap.xml"),
    ("sitemap of pages", lambda month: "/sitemaps/pages.xml"),
    ("sitemap of tournaments", lambda month: "/sitemaps/tournaments-2026.xml"),
]


def test_pages_make_no_more_queries_for_three_rows_than_for_one(client: Client) -> None:
    def fill(size: int) -> make.Month:
        make.PlayerFactory.create_batch(size)
        return make.play_month(size)

    def ask(month: make.Month, address: Address) -> None:
        assert client.get(address(month)).status_code in (200, 302)

    shown = [(name, partial(ask, address=address)) for name, address in (*PAGES, *FEEDS)]
    assert find_growing(fill, shown) == {}


def test_pages_read_no_more_rows_with_40_lists_than_with_4(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = counted_rows(monkeypatch)
    month = make.play_month()
    newest = date(2026, 1, 1)

    def rows_of_each_page(lists: int) -> dict[str, int]:
        for kind, number in product(("rapid", "blitz", "standard"), range(1, lists)):
            year, index = divmod(newest.year * 12 - number, 12)
            make.rating_list(kind=kind, date=date(year, index + 1, 1))
        read = {}
        for name, address in PAGES:
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
