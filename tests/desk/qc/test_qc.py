"""The queue of the QC, and its cases on the dashboard."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Federation
from tests import make
from tests.desk.conftest import NOW, seen
from tests.desk.qc.test_case import CASE, late_registrations
from tournaments.choices import Action
from tournaments.information_requests import ask_for_information
from tournaments.models import Tournament


def test_hold_by_staff_is_in_the_queue_until_released(chair: Client, played: Tournament) -> None:
    make.play(played, [], [])
    staff = make.browser("staff")

    reason = "All games within four minutes."
    staff.post(f"{CASE}question", {"hold-reason": reason} | seen())
    queue = chair.get("/desk/").context["cases"]
    release = {"release-reason": "The clocks agree."} | seen()
    _first, second = [chair.post(f"{CASE}clear", release) for _ in range(2)]

    # A colleague was faster: the form is gone, what happened is said.
    assert 'role="alert"' in second.content.decode()
    assert [(row.event_id, row.why, row.deadline) for row in queue] == [
        ("SUI-PLAYED", reason, date(2026, 3, 31))
    ]
    assert chair.get("/desk/").context["cases"] == []


def test_cases_are_the_tasks_of_the_chair_and_for_others_what_they_wait_for(swiss: Federation) -> None:
    first, second, asked = late_registrations(swiss, "First", "Second", "Asked")
    ask_for_information(asked, "Which hall?", due_on=NOW.date(), by=make.user(), on=NOW.date(), at=NOW)

    chair = make.browser("qc").get("/desk/").context
    others = {role: make.browser(role).get("/desk/").context for role in ("council", "auditor", "staff")}

    page, reader = (make.browser(role).get("/desk/cases/").context for role in ("qc", "staff"))
    listed = page["waiting"]
    assert [(one.code, one.about, one.deadline) for one in listed] == [
        ("registration", "First", first.start),
        ("registration", "Second", second.start),
    ]
    # What the QC asked is in the row of its case, and has a row of its own where it is selected.
    assert [(one.code, one.about, one.deadline) for one in page["others"]] == [
        ("registration", "Asked", NOW.date())
    ]
    information = make.browser("qc").get("/desk/cases/?kind=information").context
    assert [(one.code, one.deadline) for one in information["others"]] == [("information", NOW.date())]
    # Who only reads them has another button.
    assert (len(reader["waiting"]), len(reader["others"])) == (0, 3)
    assert {one.action for one in listed}.isdisjoint({one.action for one in reader["others"]})
    assert [(need.code, need.about, need.deadline) for need in chair["work"]] == [
        ("case-late", "First", first.start),
        ("case-late", "Second", second.start),
    ]
    assert [need.facts[0][1] for need in chair["work"]] == ["2 days late", "1 day late"]
    assert [case.event_id for case, *_until in chair["with_others"]] == ["SUI-Asked"]
    for role, context in others.items():
        codes = {need.code for need in context["work"]}
        assert not {code for code in codes if code.startswith("case-")}, role
        watched = [(case.tournament.name, deadline) for case, deadline, _who in context["with_others"]]
        # In the order of the requests.
        assert watched == ([(one.about, one.deadline) for one in reader["others"]] if role == "staff" else [])


def test_filtered_requests_are_shown_however_many_of_other_kinds_wait(
    swiss: Federation, played: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.cases.SHOWN_WAITING", 1)
    make.application(swiss, at=NOW, asked_by=make.user())
    make.play(played, [], [])
    staff = make.browser("staff")
    staff.post(f"{CASE}question", {"hold-reason": "All games within four minutes."} | seen())

    assert [one.code for one in staff.get("/desk/cases/?kind=hold").context["others"]] == ["hold"]


def test_qc_queue_starts_with_the_most_urgent_case(chair: Client, swiss: Federation) -> None:
    for event_id, start in [
        ("SUI-B", date(2026, 3, 9)),
        ("SUI-A", date(2026, 3, 5)),
        ("SUI-C", date(2026, 4, 1)),
    ]:
        make.tournament(event_id=event_id, federation=swiss, start=start, registration="waiting")
    make.tournament(event_id="SUI-D", federation=swiss, start=date(2026, 3, 4))

    queue = chair.get("/desk/").context["cases"]

    assert [row.event_id for row in queue] == ["SUI-A", "SUI-B", "SUI-C"]


def test_a_case_keeps_its_reason_after_files_and_requests(chair: Client, swiss: Federation) -> None:
    late = make.tournament(event_id="SUI-LATE", federation=swiss, registration="waiting")
    steps = (
        (Action.REGISTER, "Registered too late."),
        (Action.ATTACH, "hall.pdf"),
        (Action.ASK, "Which hall?"),
    )
    for action, reason in steps:
        make.step(late, action, reason=reason, at=timezone.now())

    for path in ("/desk/", "/desk/qc/SUI-LATE/"):
        page = chair.get(path).content.decode()
        assert "Registered too late." in page
    assert "hall.pdf" not in chair.get("/desk/").content.decode()
