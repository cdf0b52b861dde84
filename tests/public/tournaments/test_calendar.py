"""The tournaments by month."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests.factories import FederationFactory, TournamentFactory

pytestmark = pytest.mark.django_db


def test_list_and_month_are_two_views_of_the_same_filters(client: Client) -> None:
    query = "q=open&kind=blitz&federation=SUI&state=registered&month=2026-03"
    FederationFactory(code="SUI")
    day = date(2026, 3, 10)
    shared = {"federation_id": "SUI", "kind": "blitz", "registration": "registered", "start": day, "end": day}
    TournamentFactory(name="Spring Open", **shared)
    TournamentFactory(name="Spring Cup", **shared)
    TournamentFactory(name="Refused Open", **shared | {"registration": "refused"})

    listed = client.get(f"/tournaments/?{query}").context
    month = client.get(listed["as_calendar"]).context

    assert [row.tournament.name for row in listed["rows"]] == ["Spring Open"]
    assert [one.name for one_day in month["month"].days for one in one_day.tournaments] == ["Spring Open"]
    assert month["as_list"] == f"/tournaments/?{query}"
