"""Mails on published lists: to officers, once a list, and none for the past."""

from __future__ import annotations

from datetime import date

import pytest

from players.models import Notice
from ratings.services.publication.publish import publish_lists
from tests.factories import AppointmentFactory, FederationFactory, RatingListFactory, noon

pytestmark = pytest.mark.page

MARCH = date(2026, 3, 1)


@pytest.fixture(autouse=True)
def _lists_of_february(db: None) -> None:
    for kind in ("rapid", "blitz"):
        RatingListFactory(kind=kind, date=date(2026, 2, 1))


def test_officers_hear_of_each_list_once() -> None:
    officer = AppointmentFactory(role="officer").user
    AppointmentFactory(user=officer, role="deputy", federation=FederationFactory(code="AUT"))
    AppointmentFactory(role="arbiter")
    for _ in range(2):
        publish_lists(MARCH, by=None, at=noon(MARCH))
    assert sorted(Notice.objects.values_list("user", "key")) == [
        (officer.pk, "publication:blitz:2026-03-01"),
        (officer.pk, "publication:rapid:2026-03-01"),
    ]


def test_a_list_of_the_past_is_no_news() -> None:
    AppointmentFactory(role="officer")
    publish_lists(MARCH, by=None, at=noon(date(2026, 4, 2)))
    assert Notice.objects.count() == 0
