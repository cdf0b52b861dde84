"""The tournaments by month."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.test import Client
from django.utils import timezone

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


def test_month_has_what_the_tab_of_the_month_has_and_the_same_tabs(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 25, 9, 30, tzinfo=UTC))
    for start, end, registration in [(4, 5, "not-rated"), (30, 31, "registered"), (26, 26, "refused")]:
        make.tournament(start=date(2026, 3, start), end=date(2026, 3, end), registration=registration)
    make.tournament(start=date(2026, 4, 2), end=date(2026, 4, 2))

    listed = client.get("/tournaments/?view=month").context
    answer = client.get("/tournaments/calendar/month")
    month = answer.context["month"]

    in_month = {one.pk for day in month.days for one in day.tournaments}
    assert in_month == {row.tournament.pk for row in listed["rows"]}
    assert [(count, address) for _, count, address, _ in answer.context["tabs"]] == [
        (count, address.replace("?view=month&", "?")) for _, count, address, _ in listed["tabs"]
    ]
    assert [is_current for *_, is_current in answer.context["tabs"]] == [False, True, False, False]
    assert [place for day in month.days for _one, *place in day.played] == [
        [1, 2],
        [2, 2],
        [1, 1],
        [1, 2],
        [2, 2],
    ]
    # On a phone today's week and what follows it: weeks before are one link away.
    days = re.findall(r'<td\s+class="([^"]*)".*?datetime="([^"]*)"', answer.content.decode(), re.DOTALL)
    assert [day for css, day in days if "only-wide" not in css] == [
        "2026-03-26",
        "2026-03-30",
        "2026-03-31",
        "2026-04-02",
    ]
