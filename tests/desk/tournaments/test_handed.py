"""Reports of the chief arbiter: checked, previewed and sent, then added or returned by the officer."""

from __future__ import annotations

from datetime import date

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from core.html.dates import day_text
from players.models import Appointment, Federation, Notice, Player
from tests import make
from tests.codes import codes_of_messages
from tests.desk.conftest import ARBITER_PAGE, HANDED, NOW, PLAYERS, REMARK, report_of, sent
from tournaments.models import HandedReport, Handover, Report, RequestedChange, Tournament

pytestmark = pytest.mark.slow


def test_officer_sees_who_sent_which_report_and_the_arbiter_the_same_deadline(
    arbiter: Client, officer: Client, handed: HandedReport, holder: Appointment
) -> None:
    other_tasks = officer.get("/desk/").context["desk"].other_tasks
    page = officer.get("/desk/tournaments/SUI-PLAYED/")

    assert [(need.code, need.about, str(need.page), need.deadline) for need in other_tasks] == [
        ("handed", "Open of Alphaville", HANDED, date(2026, 3, 18))
    ]
    sent, found, decide_by = [value for _label, value in other_tasks[0].facts][:3]
    assert decide_by == day_text(date(2026, 3, 18))
    assert (sent, other_tasks[0].why) == (f"{day_text(NOW.date())}, {holder.user}", REMARK)
    # Both notes of the file, as its page counts them.
    assert found.split()[0] == str(sum(officer.get(HANDED).context["counts"].values())) == "2"
    assert (page.context["step"].code, page.context["handed_waiting"]) == ("take", handed)
    assert arbiter.get(ARBITER_PAGE).context["progress"].next_deadline == other_tasks[0].deadline
    # What the QC has to decide does not keep the officer from deciding.
    RequestedChange.objects.create(tournament=handed.tournament, sort="change", reason="x", asked_at=NOW)
    assert [need.code for need in officer.get("/desk/").context["desk"].other_tasks] == ["handed"]


def test_report_that_cannot_be_added_any_more_is_no_task_and_no_step(
    arbiter: Client, officer: Client, handed: HandedReport
) -> None:
    Tournament.objects.update(stage="reported")

    assert officer.get("/desk/").context["desk"].other_tasks == []
    assert officer.get("/desk/tournaments/SUI-PLAYED/").context["handed_waiting"] is None
    assert not officer.get(HANDED).context["may_take"]
    page = arbiter.get(ARBITER_PAGE)
    assert page.context["waiting"] is None
    # No way in that only says why it is closed.
    assert 'type="file"' not in page.content.decode()


def test_added_report_is_the_officers_version(officer: Client, handed: HandedReport) -> None:
    done = officer.post(f"{HANDED}take")
    again = officer.post(f"{HANDED}take")

    report = Report.objects.get()
    sent = Handover.objects.get()
    assert done["Location"] == again["Location"] == "/desk/tournaments/SUI-PLAYED/reports/1/"
    assert (report.state, report.sha256) == ("checked", handed.sha256)
    assert (sent.state, sent.report) == ("approved", report)
    assert report.submitted_by == sent.decided_by != sent.asked_by
    assert [step.action for step in Tournament.objects.get().log_entries.all()] == ["hand-over", "take"]
    assert officer.get("/desk/").context["desk"].other_tasks == []


@pytest.mark.database
def test_returned_report_is_corrected_and_sent_again(
    arbiter: Client, officer: Client, handed: HandedReport
) -> None:
    silent = officer.post(f"{HANDED}back", {"reason": "  "})
    officer.post(f"{HANDED}back", {"reason": "Round 2 is missing."})
    late = officer.post(f"{HANDED}take")
    (own,) = [need for need in officer.get("/desk/").context["work"] if need.code == "upload"]
    assert own.what == "Report returned to the chief arbiter"
    other_tasks = arbiter.get("/desk/").context["desk"].other_tasks
    arbiter.post(ARBITER_PAGE, sent(report_of(name="Open of Alphaville")))
    arbiter.post("/desk/tournaments/SUI-PLAYED/handed/2/over", {"remark": ""})

    assert list(silent.context["back_form"].errors) == ["reason"]
    assert (late["Location"], Report.objects.count()) == (HANDED, 0)
    assert [need.code for need in other_tasks] == ["send-again"]
    assert b"Round 2 is missing." in arbiter.get(HANDED).content
    assert [*Handover.objects.values_list("state", flat=True)] == ["refused", "waiting"]


def test_tournament_has_one_waiting_report_at_most(handed: HandedReport) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make.hand_report(handed.tournament, number=2)


def test_an_arbiter_never_submits(
    arbiter: Client, officer: Client, handed: HandedReport, holder: Appointment
) -> None:
    officer.post(f"{HANDED}take")
    closed = [
        "report",
        "change",
        "withdraw",
        "reports/1/",
        "reports/1/file",
        "reports/1/preview",
        "why",
        "reports/1/fix",
        "arbiters",
    ]
    read = {page: arbiter.get(f"/desk/tournaments/SUI-PLAYED/{page}").status_code for page in closed}
    done = [
        arbiter.post(f"/desk/tournaments/SUI-PLAYED/{page}", {"acknowledgement": "x", "reason": "x"})
        for page in ("report", "reports/1/accept", "handed/1/take", "handed/1/back", "withdraw")
    ]

    assert read == dict.fromkeys(closed, 404)
    assert arbiter.get("/desk/tournaments/SUI-PLAYED/")["Location"] == ARBITER_PAGE
    assert [answer.status_code for answer in done] == [404] * 5
    assert Report.objects.get().state == "checked"


def test_report_with_errors_is_sent_with_a_remark(arbiter: Client, officer: Client) -> None:
    arbiter.post(
        ARBITER_PAGE, sent(report_of(start="2026/01/10", end="2026/01/11", round_dates=["26/01/10"] * 3))
    )

    silent = arbiter.post(f"{HANDED}over", {"remark": ""})
    said = arbiter.post(f"{HANDED}over", {"remark": "The days of the registration are wrong."})

    assert list(silent.context["over_form"].errors) == ["remark"]
    assert (said.status_code, officer.get(HANDED).context["has_errors"]) == (302, True)


def test_an_arbiter_has_candidates_and_fixes_until_the_report_is_sent(
    arbiter: Client, played: Tournament
) -> None:
    content = report_of()
    arbiter.post(ARBITER_PAGE, sent(content.replace(b"    1300001", b"           ")))
    finding = next(one for one in arbiter.get(HANDED).context["marked"].groups if one.code == "id-missing")
    line = finding.findings[0]["line"]

    arbiter.post(f"{HANDED}choose", {"use": f"{line}-1300001", "remark": "Two came late."})
    shown = arbiter.get(f"{HANDED}fix").context["chosen"].lines
    saved = arbiter.post(f"{HANDED}fix")
    remark = arbiter.get(saved["Location"]).context["over_form"]["remark"].value()
    arbiter.post(f"{saved['Location']}over", {"remark": ""})
    late = arbiter.post(f"{saved['Location']}choose", {"clear": str(line)}, follow=True)

    assert remark == "Two came late."
    former, made = HandedReport.objects.order_by("number")
    assert (finding.findings[0]["best"].player.fide_id, [one.line for one in shown]) == (1_300_001, [line])
    assert (bytes(made.content), made.file_name, made.state) == (content, "open-corrected.trf", "waiting")
    assert (former.state, codes_of_messages(late)[-1], made.amendments) == ("checked", "version-decided", [])


def test_a_remark_is_kept_as_it_was_typed_last(arbiter: Client, played: Tournament) -> None:
    arbiter.post(ARBITER_PAGE, sent(report_of()))

    remarks = []
    for form in ({"remark": "Two came late."}, {"undo": "all"}, {"remark": ""}):
        arbiter.post(f"{HANDED}choose", form)
        remarks.append(arbiter.get(HANDED).context["over_form"]["remark"].value())

    assert remarks == ["Two came late.", "Two came late.", ""]


def test_arbiter_sees_no_issues_from_other_tournaments(
    arbiter: Client, officer: Client, swiss: Federation, played: Tournament
) -> None:
    day = date(2026, 2, 28)
    other = make.tournament(event_id="SUI-SECRET", federation=swiss, start=day, end=day)
    make.play(
        other,
        [Player.objects.get(pk=pk) for pk, _ in PLAYERS],
        [(1, 1, 2, "1-0"), (2, 2, 3, "1/2"), (3, 3, 1, "0-1")],
    )
    arbiter.post(ARBITER_PAGE, sent(report_of()))
    arbiter.post(f"{HANDED}over", {"remark": "As played."})
    officer.post(f"{HANDED}take")

    of_the_arbiter = {finding["code"] for finding in HandedReport.objects.get().findings}
    of_the_officer = {finding["code"] for finding in Report.objects.get(tournament=played).findings}

    assert of_the_officer - of_the_arbiter == {"rounds-again"}
    assert b"SUI-SECRET" not in arbiter.get(HANDED).content


@pytest.mark.parametrize(
    "content",
    [b"\x00" * 2000, b"\xff\xfe\x00", b"012 \n", b"<script>alert(1)</script>", "001 é\n".encode("cp1252")],
)
def test_bytes_that_are_no_report_are_refused_and_not_stored(arbiter: Client, content: bytes) -> None:
    answer = arbiter.post(ARBITER_PAGE, sent(content, "<img src=x>" + "n" * 300 + ".trf"))

    assert (len(answer.context["form"].errors["report"]), HandedReport.objects.count()) == (1, 0)
    assert b"<img src=x>" not in answer.content


@pytest.mark.parametrize("number", [0, 2, 40_000, 10**30])
def test_unknown_numbers_are_not_found(arbiter: Client, handed: HandedReport, number: int) -> None:
    pages = [arbiter.get(f"/desk/tournaments/SUI-PLAYED/handed/{number}/{page}") for page in ("", "preview")]

    assert [page.status_code for page in pages] == [404, 404]


@pytest.mark.parametrize("registration", ["waiting", "refused", "withdrawn"])
def test_no_report_is_added_while_the_tournament_accepts_none(
    arbiter: Client, officer: Client, handed: HandedReport, registration: str
) -> None:
    Tournament.objects.update(registration=registration)

    checked = arbiter.post(ARBITER_PAGE, sent(report_of(name="Other")))
    officer.post(f"{HANDED}take")

    handed.refresh_from_db()
    assert list(checked.context["form"].errors) == ["__all__"]
    assert "Final deadline" not in checked.content.decode()
    assert (handed.state, Report.objects.count()) == ("waiting", 0)


def test_staff_add_reports_of_official_events(arbiter: Client, officer: Client, handed: HandedReport) -> None:
    Tournament.objects.update(is_official=True)
    staff = make.browser("staff")

    other_tasks = [client.get("/desk/").context["desk"].other_tasks for client in (officer, staff)]

    assert [[str(need.page) for need in those] for those in other_tasks] == [[], [HANDED]]
    assert officer.post(f"{HANDED}take").status_code == 403
    assert staff.post(f"{HANDED}take").status_code == 302
    assert Report.objects.count() == 1


def test_each_side_gets_an_email(
    arbiter: Client, officer: Client, holder: Appointment, handed: HandedReport
) -> None:
    officer.post(f"{HANDED}back", {"reason": "Round 2 is missing."})

    told = Notice.objects.order_by("pk").values_list("recipient", "kind")
    chief = Appointment.objects.get(role="officer").user
    assert list(told) == [
        (chief.email, "handover"),
        (holder.user.email, "handover"),
    ]
    assert "Round 2 is missing." in Notice.objects.get(recipient=holder.user.email).text
