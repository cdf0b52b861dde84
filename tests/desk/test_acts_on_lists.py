"""An act on a whole list is confirmed and cancelled by one view; the services are tested in `tests/ratings`."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from core.acts import Act
from ratings.adjust import prepare
from ratings.systems.otb.adjustment import Adjustment
from tests import make
from tests.codes import codes_of_messages


@pytest.mark.django_db
def test_d133_adjustment_is_cancelled_with_a_reason() -> None:
    make.rating_list()
    by, formula = make.person("staff"), Adjustment(limit=2000, share=Fraction(2, 5))
    act = Act(by, make.noon(date(2026, 1, 20)), "Deflation")
    made = prepare("rapid", date(2026, 2, 1), formula, act, reference="FC 2026/1")
    staff, address = make.browser(by), f"/desk/adjustments/{made.pk}/"

    assert codes_of_messages(staff.post(f"{address}cancel", follow=True)) == ["reason-missing"]
    assert staff.post(f"{address}cancel", {"reason": "Not decided yet"})["Location"] == address
    made.refresh_from_db()
    assert made.cancelled_reason == "Not decided yet"
