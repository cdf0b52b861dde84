"""The federations of a list."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from ratings.models import ListEntry
from tests.factories import FederationFactory, ListEntryFactory, RatingListFactory
from tests.public.pages import page, rows
from tests.ratings.played import Month

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/federations/SUI/"


def test_federations_of_a_list_lead_to_their_highlights(client: Client, month: Month) -> None:
    address = "/lists/rapid/2026-02-01/federations/"
    listed = ListEntry.objects.filter(rating_list__date=date(2026, 2, 1)).listed().count()
    assert [(row[1], row[3]) for row in rows(page(client, address))[1:]] == [("SUI", str(listed))]
    assert f'href="{ADDRESS}"' in page(client, address)


@pytest.mark.parametrize("address", ["/lists/", "/lists/rapid/2026-02-01/"], ids=["lists", "list"])
def test_lists_lead_to_the_federations(client: Client, month: Month, address: str) -> None:
    assert 'href="/lists/rapid/2026-02-01/federations/"' in page(client, address)


def test_federations_are_sorted_by_the_average_of_their_top_ten(client: Client) -> None:
    first = RatingListFactory()
    for code, top, size in (("SUI", 1900, 11), ("KEN", 2000, 10), ("FRA", 2500, 9), ("ALB", 2400, 2)):
        for place in range(size):
            federation = FederationFactory(code=code)
            ListEntryFactory(rating_list=first, rating=top - place, player__federation=federation)
    ListEntryFactory(rating_list=first, rating=2800, is_inactive=True, player__federation_id="KEN")
    markup = page(client, "/lists/rapid/2026-01-01/federations/")
    assert [row[1:] for row in rows(markup)[1:]] == [
        ["KEN", "1995.5", "11", "10", "0"],
        ["SUI", "1895.5", "11", "11", "0"],
        ["FRA", "–", "9", "9", "0"],
        ["ALB", "–", "2", "2", "0"],
    ]
