"""The page of a chief arbiter: own tournaments only, the file checked, kept and sent."""

from __future__ import annotations

import hashlib

import pytest
from django.test import Client

from players.models import Appointment, Federation
from portal.models import User
from tests import make
from tests.desk.conftest import ARBITER_PAGE, HANDED, NOW, PLAYERS, report_of, sent
from tests.public.pages import codes
from tournaments.files import MAX_UPLOADS
from tournaments.handover import MAX_KEPT
from tournaments.models import HandedReport, Report, RequestedChange, Tournament
from tournaments.permissions import arbitrated_by

pytestmark = pytest.mark.slow


def test_arbiter_checks_previews_and_sends_a_report(arbiter: Client, officer: Client) -> None:
    content = report_of()
    before = arbiter.get(ARBITER_PAGE).context

    checked = arbiter.post(ARBITER_PAGE, sent(content, "../../open.trf"))
    unseen = officer.get(HANDED).status_code
    preview = arbiter.get(f"{HANDED}preview")
    over = arbiter.post(f"{HANDED}over", {"remark": ""})

    assert (checked.status_code, checked["Location"]) == (302, HANDED)
    assert unseen == 404
    assert [row["it"].name for row in preview.context["shown"].rows] == [name for _, name in PLAYERS]
    assert (over.status_code, over["Location"]) == (302, ARBITER_PAGE)
    found = HandedReport.objects.get()
    assert (found.state, found.file_name, bytes(found.content)) == ("waiting", "open.trf", content)
    assert found.sha256 == hashlib.sha256(content).hexdigest()
    assert Report.objects.count() == 0
    assert officer.get(HANDED).status_code == 200
    after = arbiter.get(ARBITER_PAGE).context
    # Nothing is due of an arbiter who has sent it.
    assert [[page["is_wanted"], page["has_deadline"]] for page in (before, after)] == [
        [True] * 2,
        [False] * 2,
    ]


def test_arbiter_sends_a_report_while_the_qc_has_a_request(arbiter: Client, played: Tournament) -> None:
    RequestedChange.objects.create(tournament=played, sort="change", reason="x", asked_at=NOW)
    due = arbiter.get("/desk/").context["desk"].other_tasks
    make.report(played, at=NOW)
    page = arbiter.get(ARBITER_PAGE)
    assert [task.code for task in due] == ["send"]
    assert (page.context["is_due"], page.context["is_wanted"]) == (True, True)
    # The tabs lead to every page about the tournament that the arbiter has.
    tabs = [arbiter.get(tab["url"]).status_code for tab in page.context["tabs"]]
    assert (tabs, [tab["current"] for tab in page.context["tabs"]]) == ([200] * 6, [True] + [False] * 5)
    assert "uploaded" in codes(page.content.decode())


def test_arbiter_sees_only_own_tournaments(arbiter: Client, handed: HandedReport, swiss: Federation) -> None:
    make.tournament(event_id="SUI-OTHER", federation=swiss)
    colleague = make.browser("arbiter")
    pages = [ARBITER_PAGE, HANDED, f"{HANDED}file", f"{HANDED}preview"]

    assert [arbiter.get(page).status_code for page in pages] == [200] * 4
    assert [colleague.get(page).status_code for page in pages] == [404] * 4
    assert arbiter.get("/desk/arbiter/SUI-OTHER/").status_code == 404
    assert [row.event_id for row in arbiter.get("/desk/").context["desk"].arbitrates] == ["SUI-PLAYED"]
    assert arbiter.get("/desk/tournaments/").context["page"].rows == []


def test_former_arbiter_has_no_access(arbiter: Client, holder: Appointment, played: Tournament) -> None:
    holder.delete()
    make.appointment(user=holder.user, role="arbiter", federation=make.federation(code="AUT"))

    assert list(arbitrated_by(User.objects.get(pk=holder.user.pk))) == []


def test_an_empty_file_and_none_are_refused(arbiter: Client) -> None:
    answers = [arbiter.post(ARBITER_PAGE, sent(b"")), arbiter.post(ARBITER_PAGE, {})]

    assert [list(answer.context["form"].errors) for answer in answers] == [["report"], ["report"]]
    assert HandedReport.objects.count() == 0


def test_a_file_that_is_too_large_is_refused(arbiter: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MAX_UPLOADS, "report", 1000)

    answer = arbiter.post(ARBITER_PAGE, sent(b"x" * 2000))

    assert list(answer.context["form"].errors) == ["report"]
    assert HandedReport.objects.count() == 0


def test_same_file_is_stored_once_and_files_are_limited(arbiter: Client, played: Tournament) -> None:
    for _ in range(2):
        arbiter.post(ARBITER_PAGE, sent(report_of()))
    kept = HandedReport.objects.count()
    HandedReport.objects.update(number=MAX_KEPT)

    refused = arbiter.post(ARBITER_PAGE, sent(report_of(name="Another")))

    assert (kept, list(refused.context["form"].errors)) == (1, ["report"])


def test_check_page_links_to_the_arbiters_tournaments(arbiter: Client, client: Client) -> None:
    assert b'href="/desk/arbiter/SUI-PLAYED/"' in arbiter.get("/check/").content
    assert b"/desk/arbiter/" not in client.get("/check/").content
