"""The public page of a text adopted from a past day (D-132)."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Correction, CorrectionLine
from tests import make
from tests.public.pages import page
from tests.ratings import test_late_adoption as late_adoption
from tests.ratings.test_late_adoption import MONTHS, NEXT, adopted

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.usefixtures("clock", "portal")]
clock, five_months, portal = late_adoption._clock, late_adoption.five_months, late_adoption.portal


def test_d132_page_of_the_adoption_has_its_effect_by_list(client: Client) -> None:
    late = adopted()
    shown = page(client, f"/rules/adoptions/{late.pk}/")
    assert all(f'data-list="rapid-{month}"' in shown for month in MONTHS)
    assert f"/rules/adoptions/{late.pk}/" in page(client, "/rules/")
    assert f"/rules/adoptions/{late.pk}/" in page(client, "/lists/corrections/")
    # One row for the act, in the log and in the admin, whose rows have all players.
    (row,) = client.get("/lists/corrections/").context["page"].rows
    assert row.of_act == Correction.objects.count() > 1
    listed = make.browser("staff").get("/admin/ratings/correction/").context["cl"].result_list
    assert [one.pk for one in listed] == [row.pk]
    make.publish("blitz", NEXT)
    july = make.publish("rapid", NEXT)
    line = CorrectionLine.objects.filter(taken_by=july).first()
    assert line is not None
    assert f"/rules/adoptions/{late.pk}/" in page(client, f"/players/{line.player_id}/rapid/{NEXT}/")
