"""Rating health over time."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from ratings.services.health import measure
from tests.factories import publish
from tests.public.lists.test_health import AT, measure_month
from tests.public.pages import page, rows

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_months_are_shown_in_charts(client: Client) -> None:
    measure_month()
    measure(publish("rapid", date(2026, 3, 1)), at=AT)
    markup = page(client, "/lists/health/")
    assert rows(markup, table=4) == [
        ["List", "Rapid", "Blitz"],
        ["Feb 2026", "6", "–"],
        ["Mar 2026", "0", "–"],
    ]
