"""Withdrawing a registration (D-81)."""

from __future__ import annotations

from datetime import date

from django.test import Client

from tests import make
from tests.desk.conftest import seen
from tests.desk.test_requests import CASE, GRANT
from tournaments.models import Tournament


def test_d_81_officer_requests_withdrawal_and_the_qc_or_staff_restore(
    officer: Client, chair: Client, begun: Tournament
) -> None:
    page = officer.get("/desk/tournaments/SUI-1/withdraw")
    officer.post("/desk/tournaments/SUI-1/withdraw", {"reason": "No hall."} | seen("SUI-1"))
    asked = Tournament.objects.get().registration
    case = chair.get(CASE).context
    chair.post(f"{CASE}request", GRANT | seen("SUI-1"))
    withdrawn = Tournament.objects.get().registration
    own = officer.get("/desk/tournaments/SUI-1/").content.decode()
    effect = chair.get(CASE).context["restored"]
    refused = officer.post(f"{CASE}restore", {"restore-reason": "There is one."} | seen("SUI-1"))
    restored = make.browser("staff").post(
        f"{CASE}restore", {"restore-reason": "There is one."} | seen("SUI-1")
    )

    assert ('data-decides="qc"' in page.content.decode(), page.context["has_begun"]) == (True, True)
    assert page.context["progress"].expected_list == date(2026, 4, 1)
    assert (case["asked"].sort, case["asked_changes"]) == ("withdrawal", [])
    assert (asked, withdrawn, Tournament.objects.get().registration) == (
        "registered",
        "withdrawn",
        "registered",
    )
    assert (refused.status_code, restored.status_code) == (403, 302)
    # What is withdrawn takes no report.
    assert "/desk/tournaments/SUI-1/report" not in own
    assert (effect.list_date, effect.games) == (date(2026, 4, 1), None)
