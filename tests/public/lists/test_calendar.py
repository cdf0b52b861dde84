"""The calendar of the lists for calendar programs."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.conf import settings
from django.test import Client
from icalendar import Calendar

from ratings.next_list import update_next_list
from tests import make

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


NOW = make.noon(date(2026, 1, 28))


def rated_month(size: int = 1) -> make.Month:
    month = make.play_month(size, is_published=False)
    update_next_list("rapid", at=NOW)
    return month


def test_calendar_of_the_lists_marks_the_next_one_until_it_is_published(client: Client) -> None:
    rated_month(2)

    def entry() -> tuple[str, str, int]:
        response = client.get("/lists/calendar.ics")
        assert response["Cache-Control"] == "public, max-age=60"
        found = Calendar.from_ical(response.content).walk("VEVENT")
        newest = {str(event["uid"]).partition("@")[0]: event for event in found}["list-rapid-2026-02-01"]
        return str(newest["summary"]), str(newest["url"]).removeprefix(settings.SITE_URL), len(found)

    title, *others = entry()
    assert (re.findall(r"\d+", title), others) == (["2026", "2"], ["/lists/rapid/next/", 2])
    make.publish("rapid", make.NEXT_LIST)
    title, *others = entry()
    assert (re.findall(r"\d+", title), others) == (["2026"], ["/lists/rapid/2026-02-01/", 2])
