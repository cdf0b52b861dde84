"""No page of the desk, the account and the admin asks the database more than twelve times.

Public pages are counted one by one in `tests/public/test_query_counts.py`.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import ListEntryFactory, PlayerFactory, RatingListFactory
from tests.test_access_matrix import pages
from tests.test_route_matrix import OF_FEDERATIONS, OF_FIDE, OWN, PLAYER, Values, address, browser_of, worlds
from tests.trf_files import Event
from tournaments.models import HandedReport, Report, Tournament

__all__ = ["worlds"]

pytestmark = pytest.mark.django_db
MOST = 12
PLACES = ("desk/", "accounts/", "admin/")
# A file of all that is stored about a person, from every table.
FILES = {("post", "accounts/data")}


def queries_of(client: Client, method: str, place: str, data: Any = None) -> int:
    """Return how often a page that opens asks the database; a second look, since the first one fills caches."""
    cookies, number = client.cookies.copy(), 0
    for _ in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            is_open = getattr(client, method)(place, data).status_code == 200
            transaction.set_rollback(True)
        # One of the routes ends the session.
        client.cookies.clear()
        client.cookies.update(cookies)
        number = sum(one["sql"].startswith(("SELECT", "(SELECT")) for one in asked.captured_queries)
        if not is_open or number <= MOST:
            return number if is_open else 0
    return number


@pytest.mark.parametrize("role", [*OF_FEDERATIONS, PLAYER, *OF_FIDE])
def test_no_page_asks_more_than_twelve_times(worlds: dict[str, Values], role: str) -> None:
    """A form that is sent without its fields shows its page again, with what is missing."""
    client = browser_of(role)
    asked = {
        (method, pattern): queries_of(client, method, address(pattern, worlds[OWN]))
        for pattern in sorted({pattern for pattern, _view in pages() if pattern.startswith(PLACES)})
        for method in ("get", "post")
        if (method, pattern) not in FILES
    }

    assert {page: number for page, number in asked.items() if number > MOST} == {}
    assert sum(number > 0 for number in asked.values()) > 20


@pytest.mark.parametrize(
    ("role", "page"), [("officer", "reports/1/preview"), ("arbiter", "handed/1/preview")]
)
def test_preview_with_a_merged_and_an_unrated_player_asks_no_more(
    worlds: dict[str, Values], role: str, page: str
) -> None:
    """Ratings of a standard list as well are looked up."""
    event = Tournament.objects.get(event_id=f"{OWN}-1")
    kept, new = PlayerFactory(federation=event.federation), PlayerFactory(federation=event.federation)
    old = PlayerFactory(federation=event.federation, merged_into=kept)
    day = date(2025, 12, 1)
    for kind in ("rapid", "standard"):
        ListEntryFactory(rating_list=RatingListFactory(kind=kind, date=day), player=kept)
    content = Event([(old.pk, old.name), (new.pk, new.name)], [[(1, 2, "1-0")]]).content()
    Report.objects.update(content=content)
    HandedReport.objects.update(content=content, state="handed")

    client, place = browser_of(role), f"/desk/tournaments/{event.event_id}/{page}"

    assert [row.player for row in client.get(place).context["preview"].rows] == [kept, new]
    assert 0 < queries_of(client, "get", place) <= MOST
