"""Dates in the far past or future are refused at their field, and never break a page."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from players.models import Federation
from tests import make
from tests.desk.conftest import seen
from tests.desk.tournaments.conftest import AS_IT_IS
from tests.desk.tournaments.test_register import FILLED, errors_of
from tournaments.models import InformationRequest, Tournament

FAR = ["9999-12-31", "9999-11-01", "2029-06-01"]


@pytest.mark.parametrize("day", [*FAR, "2021-12-31", "0001-01-01"])
@pytest.mark.parametrize("step", [{}, {"confirmed": "1"}, {"step": "preview"}, {"preview": "1"}])
def test_tournament_with_a_far_date_is_refused(officer: Client, day: str, step: dict[str, str]) -> None:
    answer = officer.post(
        "/desk/tournaments/new", FILLED | step | {"start": day, "end": day, "schedule": f"{day} 5"}
    )

    assert (list(errors_of(answer)), Tournament.objects.count()) == (["start"], 0)


def test_date_within_three_years_is_accepted(officer: Client) -> None:
    day = "2029-03-03"

    answer = officer.post(
        "/desk/tournaments/new",
        FILLED | {"start": day, "end": day, "schedule": f"{day} 5", "is_year_ahead": "on"},
    )

    assert (answer.status_code, Tournament.objects.get().start) == (302, date(2029, 3, 3))


@pytest.mark.parametrize(("field", "day"), [("start", "9999-12-31"), ("end", "9999-12-31")])
def test_registration_is_not_moved_to_a_far_date(
    officer: Client, swiss: Federation, field: str, day: str
) -> None:
    make.tournament(event_id="SUI-1", federation=swiss, start=date(2026, 3, 14))
    days = {"start": day, "end": "9999-12-31", "schedule": f"{day} 5"} if field == "start" else {field: day}

    answer = officer.post("/desk/tournaments/SUI-1/change", AS_IT_IS | days)

    assert (list(errors_of(answer)), Tournament.objects.get().end) == ([field], date(2026, 3, 15))


@pytest.mark.parametrize("day", ["9999-12-31", "2027-03-06", "2026-03-03"])
def test_information_request_with_a_far_deadline_is_refused(swiss: Federation, day: str) -> None:
    make.tournament(event_id="SUI-1", federation=swiss, registration="waiting")
    chair: Client = make.browser("qc")

    answer = chair.post("/desk/qc/SUI-1/ask", {"ask-text": "Why?", "ask-due_on": day} | seen("SUI-1"))

    assert list(answer.context["ask_form"].errors) == ["due_on"]
    assert InformationRequest.objects.count() == 0


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01"])
def test_audit_log_can_be_filtered_by_far_dates(day: str, db: None) -> None:
    auditor: Client = make.browser("auditor")

    assert auditor.get(f"/desk/trail/?until={day}&since={day}").status_code == 200
