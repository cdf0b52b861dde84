"""The federations of a list."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from ratings.models import ListEntry
from tests import make
from tests.public.pages import page, rows

pytestmark = pytest.mark.django_db
ADDRESS = "/lists/rapid/2026-02-01/federations/SUI/"


def test_federations_of_a_list_lead_to_their_highlights(client: Client, month: make.Month) -> None:
    address = "/lists/rapid/2026-02-01/federations/"
    listed = ListEntry.objects.filter(rating_list__date=date(2026, 2, 1)).listed().count()
    assert [(row[1], row[4]) for row in rows(page(client, address))[1:]] == [("SUI", str(listed))]
    assert f'href="{ADDRESS}"' in page(client, address)


@pytest.mark.parametrize("address", ["/lists/", "/lists/rapid/2026-02-01/"], ids=["lists", "list"])
def test_lists_lead_to_the_federations(client: Client, month: make.Month, address: str) -> None:
    assert 'href="/lists/rapid/2026-02-01/federations/"' in page(client, address)
