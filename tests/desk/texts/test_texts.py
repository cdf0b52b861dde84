"""Staff try a text of the regulations on published months, adopt it and revoke it (D-90)."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

from core.errors import RefusedError
from ratings.adoptions import adopt
from ratings.models import Adoption, RatingList, TextTrial
from ratings.text_trials import try_text
from tests import make
from tests.codes import codes_of_messages
from tests.desk.conftest import NOW
from tests.desk.texts.conftest import AMENDED, FEBRUARY

pytestmark = pytest.mark.slow


def test_d_90_page_shows_texts_in_force_and_on_offer(staff: Client, february: RatingList) -> None:
    shown = staff.get("/desk/texts/").content.decode()
    assert "fide-rapid-blitz-2024</code>" in shown
    assert f"{AMENDED}</code></li>" in shown
    assert re.search(rf'<input type="radio" name="text" value="{AMENDED}"[^>]* checked>', shown)


def test_d_90_used_adoption_has_no_button(staff: Client, february: RatingList) -> None:
    shown = staff.get("/desk/texts/").content.decode()
    assert "Revoke adoption" not in shown
    used = Adoption.objects.get(text="fide-rapid-blitz-2024")
    answer = staff.post(f"/desk/texts/{used.pk}/revoke", {"reason": "No"}, follow=True)
    assert codes_of_messages(answer) == ["adoption-used"]


@pytest.mark.parametrize("role", ["officer", "qc", "arbiter"])
def test_d_90_services_refuse_all_but_staff(role: str, february: RatingList) -> None:
    user: Any = make.person(role)
    with pytest.raises(RefusedError):
        try_text(AMENDED, [FEBRUARY], by=user, at=NOW)
    with pytest.raises(RefusedError):
        adopt(AMENDED, first_day=date(2026, 9, 1), reason="R", by=user, at=make.noon(FEBRUARY))
    assert not TextTrial.objects.exists()


@pytest.mark.parametrize(
    "values", [{}, {"text": AMENDED}, {"text": "x", "months": ["2026-02-01"]}, {"months": ["2026-09-01"]}]
)
def test_invalid_forms_are_shown_again(staff: Client, february: RatingList, values: dict[str, Any]) -> None:
    assert staff.post("/desk/texts/", values).status_code == 200
    assert not TextTrial.objects.exists()
