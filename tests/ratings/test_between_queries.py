"""A list that appears between any two queries of a page: the page is that of before or that of after, whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from tests.factories import publish
from tests.ratings.played import FIRST_LIST, NEXT_LIST, Month, play_month

Page = tuple[int, str, bytes]


class PublishedBefore:
    """Publishes the list of a kind just before the query of a number, counted from 0."""

    def __init__(self, kind: str, number: int) -> None:
        self._kind = kind
        self._left = number
        self.is_done = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.is_done and "SAVEPOINT" not in sql:
            if self._left == 0:
                self.is_done = True
                publish(self._kind, NEXT_LIST)
            self._left -= 1
        return execute(sql, params, many, context)


def addresses(kind: str, month: Month) -> list[str]:
    day, first = NEXT_LIST.isoformat(), FIRST_LIST.isoformat()
    hero, newcomer = f"/players/{month.hero.pk}/", f"/players/{month.newcomer.pk}/"
    event = month.tournaments[0].event_id
    lists, api = f"/lists/{kind}/", "/api/v1"
    return [
        "/",
        "/lists/",
        lists,
        f"{lists}{day}/",
        f"{lists}{first}/",
        "/tournaments/",
        f"{lists}{day}/changes/",
        f"{lists}{day}/statistics/",
        "/lists/feed.atom",
        f"{lists}{day}/files/{kind}-{day}.csv",
        f"{lists}{day}/files/{kind}-{day}.manifest.json",
        hero,
        newcomer,
        f"{hero}on/{first}/",
        f"{hero}on/{day}/",
        f"{hero}tournaments/",
        f"{hero}record/",
        f"{hero}badge.svg",
        f"{hero}card.png",
        f"{lists}{day}/card.png",
        f"{hero}feed.atom",
        f"{hero}{kind}/{day}/",
        f"{newcomer}{kind}/{day}/",
        f"{newcomer}badge.svg",
        f"{newcomer}feed.atom",
        f"{newcomer}record/",
        f"{newcomer}on/{day}/",
        "/players/?q=other",
        "/search?q=o",
        "/federations/",
        "/federations/SUI/",
        "/lists/corrections/",
        f"/tournaments/{event}/",
        f"/tournaments/{event}/crosstable/",
        f"/tournaments/{event}/why",
        f"/tournaments/{event}/card.png",
        f"/federations/SUI/on/{day}/",
        "/federations/SUI/feed.atom",
        "/sitemap.xml",
        "/sitemaps/pages.xml",
        f"{api}/",
        f"{api}/lists",
        f"{api}{lists}latest",
        f"{api}{lists}latest/entries",
        f"{api}{lists}latest/entries?format=csv",
        f"{api}/players?q=o",
        f"{api}/publications",
        f"{api}{hero[:-1]}",
        f"{api}{hero}history",
        f"{api}{hero}calculations/{kind}/latest",
        f"{api}/tournaments/{event}",
        f"{api}/tournaments/{event}/participants",
        f"{api}/calculators/change?fide_id={month.hero.pk}&games=1800:1",
        f"{api}/tournaments",
    ]


def read(client: Client, address: str) -> Page:
    cache.clear()
    answer = client.get(address)
    text = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[arg-type]
    return answer.status_code, answer.headers.get("Location", ""), text


def pages_meanwhile(client: Client, address: str, *, kind: str) -> Iterator[Page]:
    """Yield the page as it is where the list appears before its first query, its second, and so on."""
    number, is_done = 0, True
    while is_done:
        appearing = PublishedBefore(kind, number)
        with transaction.atomic(), connection.execute_wrapper(appearing):
            page = read(client, address)
            transaction.set_rollback(True)
        yield page
        number, is_done = number + 1, appearing.is_done


def after_the_publication(client: Client, address: str, *, kind: str) -> Page:
    with transaction.atomic():
        publish(kind, NEXT_LIST)
        page = read(client, address)
        transaction.set_rollback(True)
    return page


@pytest.mark.parametrize("kind", ["rapid", "blitz"])
def test_no_page_is_half_of_each(client: Client, db: None, kind: str) -> None:
    if kind == "blitz":
        play_month()  # the month's rapid list stands already
    month = play_month(2, kind=kind, is_published=False)
    halves = {}
    for address in addresses(kind, month):
        whole = read(client, address), after_the_publication(client, address, kind=kind)
        pages = enumerate(pages_meanwhile(client, address, kind=kind))
        if found := [number for number, page in pages if page not in whole]:
            halves[address] = found

    assert halves == {}
