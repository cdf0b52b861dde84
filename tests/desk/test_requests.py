"""Requests of officers and the forms of the QC by HTTP requests (D-80, D-81)."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from tests import make
from tests.codes import codes_of_answer, codes_of_messages
from tests.desk.conftest import NOW, TODAY, seen
from tests.desk.tournaments.conftest import AS_IT_IS, CHANGE, as_shown
from tournaments.models import Handover, Report, RequestedChange, Tournament

CASE = "/desk/qc/SUI-1/"
GRANT = {"request-decision": "grant", "request-reason": "By the minutes."}


def changed(officer: Client, **others: str) -> None:
    days = {"start": "2026-03-04", "end": "2026-03-05", "schedule": "2026-03-04 5\n2026-03-05 4"}
    answer = officer.post(CHANGE, as_shown(officer, **days, **others))
    assert answer.status_code == 302


def test_d_80_officer_requests_and_the_chair_approves(
    officer: Client, chair: Client, begun: Tournament
) -> None:
    changed(officer, is_match="on")
    desk = officer.get("/desk/tournaments/SUI-1/").context
    row = chair.get("/desk/").context["cases"][0]
    case = chair.get(CASE).context

    done = chair.post(f"{CASE}request", GRANT | seen("SUI-1"))

    assert desk["step"].code == "request"
    assert (row.event_id, row.why, row.deadline) == ("SUI-1", AS_IT_IS["reason"], date(2026, 3, 4))
    assert (case["asked"].sort, case["asked"].why) == ("change", AS_IT_IS["reason"])
    assert [str(one.label) != "" for one in case["asked_changes"]] == [True]
    assert (done.status_code, Tournament.objects.get().is_match) == (302, True)
    assert "By the minutes." in officer.get("/desk/").content.decode()


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("", {"decision": "not-rate", "reason": "Two minutes."}),
        ("ask", {"ask-text": "Why?", "ask-due_on": "2026-03-09"}),
        ("question", {"hold-reason": "Why?"}),
        ("request", GRANT),
    ],
)
@pytest.mark.parametrize("token", ["stale", "none"])
def test_form_opened_before_a_colleague_decided_is_refused_with_the_new_state(
    officer: Client, chair: Client, begun: Tournament, path: str, data: dict[str, str], token: str
) -> None:
    changed(officer, is_match="on")
    if path == "question":
        make.play(begun, [], [])
    opened = seen("SUI-1") if token == "stale" else {}
    reason = "No rounds are rated."
    chair.post(CASE, {"decision": "not-rate", "reason": reason} | seen("SUI-1"))
    before = Tournament.objects.values().get()

    answer = chair.post(f"{CASE}{path}", data | opened)

    form = {"": "form", "question": "hold_form"}.get(path, f"{path}_form")
    assert (answer.status_code, Tournament.objects.values().get()) == (200, before)
    assert RequestedChange.objects.get().state == "refused"
    assert codes_of_answer(answer, form)["__all__"] == ["changed-meanwhile"]
    assert reason in answer.content.decode()


@pytest.mark.parametrize("token", ["stale", "none"])
@pytest.mark.parametrize("form", ["change", "withdraw", "reports/1/accept", "handed/1/take", "handed/1/back"])
def test_officers_form_opened_before_a_colleague_acted_is_refused_with_the_new_state(
    officer: Client, chair: Client, begun: Tournament, form: str, token: str
) -> None:
    report = {"tournament": begun, "content": b"012 Open", "findings": []}
    Report.objects.create(**report, version=1, state="checked", submitted_on=TODAY, submitted_at=NOW)
    make.hand_report(begun, content=b"012 Open")
    opened = seen("SUI-1") if token == "stale" else {"seen": ""}
    chair.post(f"{CASE}ask", {"ask-text": "Why?", "ask-due_on": "2026-03-09"} | seen("SUI-1"))
    before = states_of(begun)

    typed = as_shown(officer, reason="It moved.", city="Betaville", acknowledgement="Read.")
    answer = officer.post(f"/desk/tournaments/SUI-1/{form}", typed | opened, follow=True)

    assert states_of(begun) == before
    form = {"handed/1/back": "back_form"}.get(form, "form")
    told = codes_of_answer(answer, form) if form in answer.context else {}
    assert (told.get("__all__") or codes_of_messages(answer)) == ["changed-meanwhile"]


def states_of(tournament: Tournament) -> list[Any]:
    """Return all data that an officer's action would change."""
    own = Tournament.objects.values().get(pk=tournament.pk)
    reports = list(Report.objects.values_list("version", "state"))
    return [own, reports, list(Handover.objects.values_list("state")), tournament.log_entries.count()]


def test_form_after_a_refusal_has_the_newest_step(chair: Client, begun: Tournament) -> None:
    opened = seen("SUI-1")
    chair.post(CASE, {"decision": "refuse", "reason": "No rounds are rated."} | opened)
    refused = chair.post(CASE, {"decision": "allow", "reason": "They are."} | opened)

    again = chair.post(CASE, {"decision": "allow", "reason": "They are.", "seen": refused.context["seen"]})

    assert (again.status_code, Tournament.objects.get().registration) == (302, "approved")
