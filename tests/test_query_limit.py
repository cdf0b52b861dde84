"""No page of the desk, the account and the admin asks the database more than twelve times.

Public pages are counted one by one in `tests/public/test_query_counts.py`.
"""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.test_access_matrix import pages
from tests.test_route_matrix import OWN, Values, address, browser_of, worlds

__all__ = ["worlds"]

pytestmark = pytest.mark.django_db
MOST = 12


def queries_of(client: Client, place: str) -> int:
    """Return how often a page that opens asks the database; a second look, since the first one fills caches."""
    for _ in range(2):
        with transaction.atomic(), CaptureQueriesContext(connection) as asked:
            is_open = client.get(place).status_code == 200
            transaction.set_rollback(True)
        number = sum(one["sql"].startswith(("SELECT", "(SELECT")) for one in asked.captured_queries)
        if not is_open or number <= MOST:
            return number if is_open else 0
    return number


@pytest.mark.parametrize(
    ("role", "places"), [("officer", ("desk/", "accounts/")), ("staff", ("desk/", "admin/"))]
)
def test_no_page_asks_more_than_twelve_times(
    worlds: dict[str, Values], role: str, places: tuple[str, ...]
) -> None:
    client = browser_of(role)
    asked = {
        pattern: queries_of(client, address(pattern, worlds[OWN]))
        for pattern in sorted({pattern for pattern, _view in pages() if pattern.startswith(places)})
    }

    assert {pattern: number for pattern, number in asked.items() if number > MOST} == {}
    assert sum(number > 0 for number in asked.values()) > 40
