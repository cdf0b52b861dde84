"""Staff prepare a text for a past day, see its effect, and another one confirms it (D-132, D-131)."""

from __future__ import annotations

import pytest
from django.test import Client

from ratings.models import Adoption, LateAdoption, RatingList
from ratings.runs import perform
from tests import make
from tests.codes import codes_of_messages
from tests.desk.conftest import NOW
from tests.desk.texts.conftest import AMENDED

pytestmark = pytest.mark.slow
FORM = {"text": AMENDED, "first_day": "2026-01-05", "reason": "GA decided", "reference": "FC 2026/9"}


def test_d132_effect_is_shown_before_another_person_adopts(staff: Client, february: RatingList) -> None:
    answer = staff.post("/desk/texts/late/", FORM)
    made = LateAdoption.objects.get()
    address = f"/desk/texts/late/{made.pk}/"
    assert answer["Location"] == address
    waiting, alone = staff.get(address).context, staff.get("/desk/texts/late/").context
    assert (waiting["may_confirm"], waiting["bar"], alone["is_alone"]) == (False, None, True)
    perform("late", str(made.pk), at=NOW)
    made.refresh_from_db()
    shown = staff.get(address).context
    assert [(row["kind"], row["players"], row["games"]) for row in shown["lists"]] == [("rapid", 2, 1)]
    second = make.browser(make.user(is_superuser=True))
    assert staff.get(address).context["bar"].code == "own-matter-D-131"
    assert codes_of_messages(staff.post(f"{address}confirm", follow=True)) == ["own-matter-D-131"]
    # The effect that an old page shows is not the one that is confirmed.
    old_page = second.post(f"{address}confirm", {"seen": "0"}, follow=True)
    assert (codes_of_messages(old_page), Adoption.objects.filter(text=AMENDED).exists()) == (
        ["effect-changed"],
        False,
    )
    second.post(f"{address}confirm", {"seen": made.seen}, follow=True)
    made.refresh_from_db()
    assert made.adoption == Adoption.objects.get(text=AMENDED)
    assert staff.get("/desk/texts/late/").status_code == 200
    assert codes_of_messages(second.post(f"{address}cancel", follow=True)) == ["reason-missing"]
    second.post(f"{address}cancel", {"reason": "Annulled"})
    assert Adoption.objects.get(text=AMENDED).revoked_at == NOW


@pytest.mark.parametrize("wrong", [{"first_day": "2026-09-01"}, {"reference": ""}, {"text": "x"}])
def test_d132_wrong_form_is_shown_again(staff: Client, february: RatingList, wrong: dict[str, str]) -> None:
    assert staff.post("/desk/texts/late/", FORM | wrong).status_code == 200
    assert not LateAdoption.objects.exists()


@pytest.mark.parametrize("role", ["officer", "qc", "arbiter"])
def test_d132_nobody_but_staff_adopts_late(february: RatingList, role: str) -> None:
    client = make.browser(make.person(role))
    assert client.post("/desk/texts/late/", FORM).status_code in (302, 403, 404)
    assert not LateAdoption.objects.exists()
