"""A list that appears between any two queries of a page: the page is that of before or that of after, whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from tests.factories import publish
from tests.ratings.played import FIRST_LIST, NEXT_LIST, Month, play_month

Page = tuple[int, str, bytes]


class PublishedBefore:
    """Publishes the list just before the query of a number, counted from 0."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.is_done = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.is_done and "SAVEPOINT" not in sql:
            if self._left == 0:
                self.is_done = True
                publish("rapid", NEXT_LIST)
            self._left -= 1
        return execute(sql, params, many, context)


def addresses(month: Month) -> list[str]:
    day, first = NEXT_LIST.isoformat(), FIRST_LIST.isoformat()
    hero, newcomer = f"/players/{month.hero.pk}/", f"/players/{month.newcomer.pk}/"
    event = month.tournaments[0].event_id
    api = "/api/v1"
    return [
        *("/", "/lists/", "/lists/rapid/", f"/lists/rapid/{day}/", f"/lists/rapid/{first}/", "/tournaments/"),
        *(f"/lists/rapid/{day}/changes/", f"/lists/rapid/{day}/statistics/", "/lists/feed.atom"),
        *(f"/lists/rapid/{day}/files/rapid-{day}.csv", f"/lists/rapid/{day}/files/rapid-{day}.manifest.json"),
        *(hero, newcomer, f"{hero}on/{first}/", f"{hero}on/{day}/", f"{hero}tournaments/", f"{hero}record/"),
        *(f"{hero}badge.svg", f"{hero}feed.atom", f"{hero}rapid/{day}/", f"{newcomer}rapid/{day}/"),
        *(f"{newcomer}badge.svg", f"{newcomer}feed.atom", f"{newcomer}record/", f"{newcomer}on/{day}/"),
        *("/players/?q=other", "/search?q=o", "/federations/", "/federations/SUI/", "/lists/corrections/"),
        *(f"/tournaments/{event}/", f"/tournaments/{event}/?view=crosstable", f"/tournaments/{event}/why"),
        *(f"/federations/SUI/on/{day}/", "/federations/SUI/feed.atom", "/sitemap.xml", "/sitemaps/pages.xml"),
        *(f"{api}/", f"{api}/lists", f"{api}/lists/rapid/latest", f"{api}/lists/rapid/latest/entries"),
        *(f"{api}/lists/rapid/latest/entries?format=csv", f"{api}/players?q=o", f"{api}/publications"),
        *(f"{api}{hero[:-1]}", f"{api}{hero}history", f"{api}{hero}calculations/rapid/latest"),
        *(f"{api}/tournaments/{event}", f"{api}/tournaments/{event}/participants"),
        *(f"{api}/calculators/change?fide_id={month.hero.pk}&games=1800:1", f"{api}/tournaments"),
    ]


def read(client: Client, address: str) -> Page:
    cache.clear()
    answer = client.get(address)
    text = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[arg-type]
    return answer.status_code, answer.headers.get("Location", ""), text


def pages_meanwhile(client: Client, address: str) -> Iterator[Page]:
    """Yield the page as it is where the list appears before its first query, its second, and so on."""
    number, is_done = 0, True
    while is_done:
        appearing = PublishedBefore(number)
        point = transaction.savepoint()
        with connection.execute_wrapper(appearing):
            page = read(client, address)
        transaction.savepoint_rollback(point)
        yield page
        number, is_done = number + 1, appearing.is_done


def after_the_publication(client: Client, address: str) -> Page:
    point = transaction.savepoint()
    publish("rapid", NEXT_LIST)
    page = read(client, address)
    transaction.savepoint_rollback(point)
    return page


def test_no_page_is_half_of_each(client: Client, db: None) -> None:
    month = play_month(2, is_published=False)
    halves = {}
    for address in addresses(month):
        whole = read(client, address), after_the_publication(client, address)
        found = [number for number, page in enumerate(pages_meanwhile(client, address)) if page not in whole]
        if found:
            halves[address] = found

    assert halves == {}
