"""The tournaments by month."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from tests import make

pytestmark = pytest.mark.django_db


def test_list_and_month_are_two_views_of_the_same_filters(client: Client) -> None:
    query = "q=open&kind=blitz&federation=SUI&state=registered&month=2026-03"
    make.federation(code="SUI")
    day = date(2026, 3, 10)
    shared = {"federation_id": "SUI", "kind": "blitz", "registration": "registered", "start": day, "end": day}
    make.tournament(name="Spring Open", **shared)
    make.tournament(name="Spring Cup", **shared)
    make.tournament(name="Refused Open", **shared | {"registration": "refused"})

    listed = client.get(f"/tournaments/?{query}").context
    month = client.get(listed["as_calendar"]).context

    assert [row.tournament.name for row in listed["rows"]] == ["Spring Open"]
    assert [one.name for one_day in month["month"].days for one in one_day.tournaments] == ["Spring Open"]
    assert month["as_list"] == f"/tournaments/?{query}"
