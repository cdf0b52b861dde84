"""The workshop: the QC tries a proposal on published months, compares it and shares it by its link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from ratings.models import TextTrial
from tests.desk.workshop.conftest import VALUES, tried

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_proposal_is_tried_and_its_figures_are_shown(qc: Client) -> None:
    answer = qc.get(tried(qc))
    shown = answer.content.decode()
    assert [number for _label, number in answer.context["months"][0]["figures"]] == [3, 0, 0, 0]
    assert "<dt>Largest rating difference that counts</dt><dd>500</dd>" in shown
    assert "Adopt text" not in shown
    assert "cap 500, K 30</a></th>" in qc.get("/desk/workshop/").content.decode()


def test_difference_only_by_k_is_explained(qc: Client) -> None:
    answer = qc.get(tried(qc, cap=""))
    (month,) = answer.context["months"]
    assert [item["games"] for item in month["most"]] == [[], [], []]
    first = month["most"][0]
    explained = [(each["k"], each["changes"]) for each in first["k_factors"]]
    assert (first["difference"], explained) == (10, [([20, 30], ["+9.60", "+14.40"])] * 2)


def test_proposal_is_private_until_it_is_shared(qc: Client, signed_in: Callable[[str], Client]) -> None:
    page = tried(qc)
    others = [signed_in(role) for role in ("staff", "council")]
    assert [other.get(page).status_code for other in others] == [404, 404]
    assert "No proposals yet" in others[0].get("/desk/workshop/").content.decode()
    assert others[0].post(f"{page}share").status_code == 404
    qc.post(f"{page}share")
    for other in others:
        assert other.get(page).status_code == 200
        assert "cap 500, K 30" in other.get("/desk/workshop/").content.decode()
    assert signed_in("auditor").get(page).status_code == 403
    assert Client().get(page)["Location"].startswith("/accounts/login/")


def test_council_reads_but_does_not_try(qc: Client, signed_in: Callable[[str], Client]) -> None:
    council = signed_in("council")
    assert "February 2026" in qc.get("/desk/workshop/").content.decode()
    assert "Try proposal" not in council.get("/desk/workshop/").content.decode()
    assert council.post("/desk/workshop/", VALUES).status_code == 403
    assert not TextTrial.objects.exists()


def test_proposal_cannot_be_adopted(qc: Client, signed_in: Callable[[str], Client]) -> None:
    key = tried(qc).split("/")[-2]
    assert signed_in("staff").get(f"/desk/texts/trials/{key}/").status_code == 404


@pytest.mark.parametrize(
    "changed", [{"k": "0"}, {"cap": "50"}, {"name": ""}, {"months": []}, {"text": "x"}, {"cap": "", "k": ""}]
)
def test_invalid_proposals_are_shown_again(qc: Client, changed: dict[str, Any]) -> None:
    assert qc.post("/desk/workshop/", VALUES | changed).status_code == 200
    assert not TextTrial.objects.exists()
