"""A list that appears between any two queries of a page: the page is that of before or that of after, whole.

A publication is recorded once, and its statements are repeated between the queries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from ratings.lists import forget_lists
from ratings.search import forget_top_ratings
from tests import make

# What a page asks, and in which order, is the same on every database.
pytestmark = [pytest.mark.page, pytest.mark.slow]
Page = tuple[int, str, bytes]
# Its text, its values, and whether these are of many rows.
Statement = tuple[str, Any, bool]


def record_publication(kind: str) -> list[Statement]:
    """Return the statements with which the list of a kind is published; of their rows nothing stays."""
    written: list[Statement] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
            params = list(params) if many else params
            written.append((sql, params, many))
        return execute(sql, params, many, context)

    with transaction.atomic(), connection.execute_wrapper(note):
        make.publish(kind, make.NEXT_LIST)
        transaction.set_rollback(True)
    return written


def repeat(publication: list[Statement]) -> None:
    with connection.cursor() as cursor:
        for sql, params, is_of_many in publication:
            (cursor.executemany if is_of_many else cursor.execute)(sql, params)
    forget_lists()
    forget_top_ratings()


class PublishedBefore:
    """Repeats a publication just before the query of a number, counted from 0, of those that read what it writes."""

    def __init__(self, publication: list[Statement], number: int) -> None:
        self._publication = publication
        self._tables = {sql.split('"')[1] for sql, *_values in publication}
        self._left = number
        self.is_done = False

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not self.is_done and not self._tables.isdisjoint(re.findall(r"\w+", sql)):
            if self._left == 0:
                self.is_done = True
                repeat(self._publication)
            self._left -= 1
        return execute(sql, params, many, context)


def addresses(kind: str, month: make.Month) -> list[str]:
    day, first = make.NEXT_LIST.isoformat(), make.FIRST_LIST.isoformat()
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
        f"/federations/SUI/on/{day}/",
        "/federations/SUI/feed.atom",
        "/sitemap.xml",
        "/sitemaps/pages.xml",
        f"{api}/",
        f"{api}/lists",
        f"{api}{lists}latest",
        f"{api}{lists}latest/entries",
        f"{api}{lists}latest/entries.csv",
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


def pages_meanwhile(client: Client, address: str, publication: list[Statement]) -> Iterator[Page]:
    """Yield the page as it is where the list appears before its first query, its second, and so on."""
    number, is_done = 0, True
    while is_done:
        appearing = PublishedBefore(publication, number)
        with transaction.atomic(), connection.execute_wrapper(appearing):
            page = read(client, address)
            transaction.set_rollback(True)
        yield page
        number, is_done = number + 1, appearing.is_done


def after_the_publication(client: Client, address: str, publication: list[Statement]) -> Page:
    with transaction.atomic():
        repeat(publication)
        page = read(client, address)
        transaction.set_rollback(True)
    return page


def halves_of_pages(client: Client, kind: str, places: list[str]) -> dict[str, list[int]]:
    """Return the numbers of the queries before which a publication shows half of each, by the address."""
    publication = record_publication(kind)
    halves, changed = {}, set()
    for address in places:
        before, after = read(client, address), after_the_publication(client, address, publication)
        if before != after:
            changed.add(address)
        pages = enumerate(pages_meanwhile(client, address, publication))
        if found := [number for number, page in pages if page not in (before, after)]:
            halves[address] = found
    # Were nothing published, no page would change.
    assert len(changed) > len(places) / 2
    return halves


def test_no_page_is_half_of_each(client: Client, db: None) -> None:
    make.play_month()  # the month's rapid list stands already
    month = make.play_month(2, kind="blitz", is_published=False)

    assert halves_of_pages(client, "blitz", addresses("blitz", month)) == {}
