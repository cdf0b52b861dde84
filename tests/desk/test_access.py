"""Every page of the desk for every role: allowed, 403, or 404."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver

from desk import urls
from tests.desk.conftest import NOW
from tests.factories import UserFactory
from tournaments.models import Appeal, CaseFile, HandedReport, Report, Tournament, TrailEntry

OPEN, DONE, NO, ABSENT = 200, 302, 403, 404
ROLES = ["officer", "deputy", "officer AUT", "arbiter", "qc", "staff", "council", "auditor"]
PAGES = {
    "desk/": [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/": [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/new": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/tournaments/bulk": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/tournaments/bulk.csv": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/": [OPEN, OPEN, ABSENT, ABSENT, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/<str:event_id>/change": [OPEN, OPEN, ABSENT, ABSENT, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/withdraw": [OPEN, OPEN, ABSENT, ABSENT, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/report": [OPEN, OPEN, ABSENT, ABSENT, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/reports/<int:version>/": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/tournaments/<str:event_id>/reports/<int:version>/file": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/tournaments/<str:event_id>/reports/<int:version>/fix": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        NO,
        OPEN,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/reports/<int:version>/to/<int:other>": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/tournaments/<str:event_id>/entries": [OPEN, OPEN, ABSENT, ABSENT, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/<str:event_id>/arbiters": [OPEN, OPEN, ABSENT, ABSENT, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/handed/<int:number>/": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/tournaments/<str:event_id>/handed/<int:number>/file": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    # Only for the tournament's chief arbiters: tests/desk/tournaments/test_handover.py.
    "desk/arbiter/<str:event_id>/": [ABSENT] * 8,
    "desk/tournaments/<str:event_id>/why": [OPEN, OPEN, ABSENT, ABSENT, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/<str:event_id>/files": [OPEN, OPEN, ABSENT, ABSENT, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/<str:event_id>/files/<int:number>": [OPEN, OPEN, ABSENT, ABSENT, *[OPEN] * 4],
    "desk/tournaments/<str:event_id>/answer": [OPEN, OPEN, ABSENT, ABSENT, NO, OPEN, NO, NO],
    "desk/tournaments/<str:event_id>/appeal": [OPEN, OPEN, ABSENT, ABSENT, OPEN, OPEN, OPEN, OPEN],
    "desk/tournaments/<str:event_id>/appeal/new": [OPEN, OPEN, ABSENT, ABSENT, NO, NO, NO, NO],
    "desk/tournaments/<str:event_id>/appeal/files/<int:number>": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/tournaments/<str:event_id>/objections/": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        OPEN,
        OPEN,
        OPEN,
        OPEN,
    ],
    "desk/calendar/": [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN],
    "desk/appeals/": [NO, NO, NO, NO, OPEN, OPEN, OPEN, OPEN],
    "desk/tokens/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/webhooks/": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/webhooks/<int:webhook_id>/": [ABSENT, ABSENT, ABSENT, NO, NO, ABSENT, NO, NO],
    "desk/texts/": [NO, NO, NO, NO, NO, OPEN, NO, NO],
    "desk/texts/trials/<int:pk>/": [NO, NO, NO, NO, NO, ABSENT, NO, NO],
    "desk/workshop/": [NO, NO, NO, NO, OPEN, OPEN, OPEN, NO],
    "desk/workshop/compare": [NO, NO, NO, NO, OPEN, OPEN, OPEN, NO],
    "desk/workshop/<int:pk>/": [NO, NO, NO, NO, ABSENT, ABSENT, ABSENT, NO],
    "desk/comparisons/": [NO, NO, NO, NO, NO, OPEN, NO, NO],
    "desk/comparisons/<int:pk>/": [NO, NO, NO, NO, NO, ABSENT, NO, NO],
    "desk/trail/": [NO, NO, NO, NO, NO, OPEN, NO, OPEN],
    "desk/trail.csv": [NO, NO, NO, NO, NO, OPEN, NO, OPEN],
    "desk/trail.ndjson": [NO, NO, NO, NO, NO, OPEN, NO, OPEN],
    "desk/qc/": [NO, NO, NO, NO, OPEN, OPEN, OPEN, OPEN],
    "desk/qc/<str:event_id>/": [NO, NO, ABSENT, ABSENT, OPEN, OPEN, NO, NO],
    "desk/qc/<str:event_id>/indicators": [NO, NO, ABSENT, ABSENT, OPEN, OPEN, NO, NO],
}
POSTS = {
    "desk/tournaments/<str:event_id>/undo": [DONE, DONE, ABSENT, ABSENT, NO, DONE, NO, NO],
    "desk/workshop/<int:pk>/share": [NO, NO, NO, NO, ABSENT, ABSENT, ABSENT, NO],
    "desk/texts/<int:pk>/revoke": [NO, NO, NO, NO, NO, 302, NO, NO],
    "desk/tournaments/<str:event_id>/reports/<int:version>/accept": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        NO,
        OPEN,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/reports/<int:version>/choose": [
        DONE,
        DONE,
        ABSENT,
        ABSENT,
        NO,
        DONE,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/arbiters/<int:pk>/end": [
        ABSENT,
        ABSENT,
        ABSENT,
        ABSENT,
        NO,
        ABSENT,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/objections/<int:pk>/answer": [
        ABSENT,
        ABSENT,
        ABSENT,
        ABSENT,
        NO,
        ABSENT,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/handed/<int:number>/over": [ABSENT] * 8,
    "desk/tournaments/<str:event_id>/handed/<int:number>/take": [
        DONE,
        DONE,
        ABSENT,
        ABSENT,
        NO,
        DONE,
        NO,
        NO,
    ],
    "desk/tournaments/<str:event_id>/handed/<int:number>/back": [
        OPEN,
        OPEN,
        ABSENT,
        ABSENT,
        NO,
        OPEN,
        NO,
        NO,
    ],
    # Users have access to their own tokens only.
    "desk/tokens/<int:pk>/revoke": [ABSENT, ABSENT, ABSENT, NO, NO, ABSENT, NO, NO],
    "desk/webhooks/<int:webhook_id>/test": [ABSENT, ABSENT, ABSENT, NO, NO, ABSENT, NO, NO],
    "desk/webhooks/<int:webhook_id>/resume": [ABSENT, ABSENT, ABSENT, NO, NO, ABSENT, NO, NO],
    "desk/webhooks/<int:webhook_id>/remove": [ABSENT, ABSENT, ABSENT, NO, NO, ABSENT, NO, NO],
    "desk/webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/again": [
        ABSENT,
        ABSENT,
        ABSENT,
        NO,
        NO,
        ABSENT,
        NO,
        NO,
    ],
    "desk/tournaments/rules": [OPEN, OPEN, OPEN, NO, NO, OPEN, NO, NO],
    "desk/calendar/feed": [OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, OPEN],
    "desk/qc/<str:event_id>/note": [NO, NO, ABSENT, ABSENT, OPEN, OPEN, NO, NO],
    "desk/qc/<str:event_id>/ask": [NO, NO, ABSENT, ABSENT, OPEN, NO, NO, NO],
    "desk/qc/<str:event_id>/question": [NO, NO, ABSENT, ABSENT, OPEN, OPEN, NO, NO],
    "desk/qc/<str:event_id>/clear": [NO, NO, ABSENT, ABSENT, OPEN, NO, NO, NO],
    "desk/qc/<str:event_id>/request": [NO, NO, ABSENT, ABSENT, OPEN, NO, NO, NO],
    "desk/qc/<str:event_id>/restore": [NO, NO, ABSENT, ABSENT, OPEN, OPEN, NO, NO],
}


def patterns() -> dict[str, Any]:
    """Return the views of the desk by URL pattern."""
    found: dict[str, Any] = {}
    entries: list[Any] = urls.urlpatterns
    for entry in entries:
        if isinstance(entry, URLResolver):
            # tests/test_access_matrix.py covers the pages of the other namespaces.
            if entry.namespace == "desk":
                found |= {f"desk/{page.pattern}": page.callback for page in entry.url_patterns}
        else:
            found[f"desk/{entry.pattern}"] = entry.callback
    return found


@pytest.fixture
def report(played: Tournament, report_of: Callable[..., bytes]) -> Report:
    HandedReport.objects.create(
        tournament=played,
        number=1,
        state="waiting",
        file_name="open.trf",
        content=report_of(),
        sha256="1" * 64,
        checked_at=NOW,
        handed_at=NOW,
    )
    return Report.objects.create(
        tournament=played,
        version=1,
        state="checked",
        file_name="open.trf",
        content=report_of(name="Open of Betaville"),
        sha256="0" * 64,
        submitted_on=NOW.date(),
        submitted_at=NOW,
        findings=[
            {
                "severity": "warning",
                "line": 1,
                "column": 5,
                "code": "event-name",
                "message": "It differs.",
                "fix": None,
            }
        ],
    )


@pytest.fixture
def appeal(played: Tournament) -> Appeal:
    """Return an appeal with a file."""
    decision = TrailEntry.objects.create(
        tournament=played, action="not-rate", registration="not-rated", reason="Why.", at=NOW
    )
    made = Appeal.objects.create(
        tournament=played,
        decision=decision,
        communicated_on=NOW.date(),
        ground="facts",
        statement="It was played.",
        organiser="Club",
        lodged_at=NOW,
    )
    CaseFile.objects.create(
        appeal=made, number=1, file_name="a.pdf", content=b"%PDF", size=4, sha256="0" * 64
    )
    CaseFile.objects.create(
        tournament=played,
        purpose="waiver",
        number=1,
        file_name="a.pdf",
        content=b"%PDF",
        size=4,
        sha256="0" * 64,
        added_at=NOW,
    )
    return made


def address(pattern: str) -> str:
    """Return the URL of a pattern for the tournament and report of the test."""
    values = {
        "<str:event_id>": "SUI-PLAYED",
        "<int:version>": "1",
        "<int:other>": "1",
        "<int:number>": "1",
        "<int:pk>": "1",
        "<int:webhook_id>": "1",
        "<int:delivery_id>": "1",
    }
    for name, value in values.items():
        pattern = pattern.replace(name, value)
    return f"/{pattern}"


def test_matrix_has_every_page_of_the_desk() -> None:
    assert sorted(patterns()) == sorted([*PAGES, *POSTS])


def test_every_page_of_the_desk_declares_its_predicate() -> None:
    assert [pattern for pattern, view in patterns().items() if not hasattr(view, "requires")] == []


def test_the_desk_is_part_of_the_portal() -> None:
    assert get_resolver().resolve("/desk/").func is patterns()["desk/"]


@pytest.mark.parametrize("pattern", PAGES)
def test_each_role_opens_only_its_pages(
    signed_in: Callable[[str], Client], report: Report, appeal: Appeal, pattern: str
) -> None:
    answers = [signed_in(role).get(address(pattern)).status_code for role in ROLES]

    assert dict(zip(ROLES, answers, strict=True)) == dict(zip(ROLES, PAGES[pattern], strict=True))


@pytest.mark.parametrize("pattern", POSTS)
def test_each_role_takes_only_its_actions(
    signed_in: Callable[[str], Client], report: Report, pattern: str
) -> None:
    # Without a reason for the warnings nothing is accepted, so that every role has the same report.
    answers = [signed_in(role).post(address(pattern)).status_code for role in ROLES]

    assert dict(zip(ROLES, answers, strict=True)) == dict(zip(ROLES, POSTS[pattern], strict=True))
    report.refresh_from_db()
    assert report.state == "checked"


@pytest.mark.parametrize("pattern", [*PAGES, *POSTS])
def test_visitors_must_sign_in(client: Client, report: Report, pattern: str) -> None:
    answer = client.post(address(pattern)) if pattern in POSTS else client.get(address(pattern))
    if answer.status_code == 200:
        pytest.fail(f"{pattern} is open to everybody")

    assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, "/accounts/login/")


def test_account_without_a_role_has_no_dashboard(client: Client, report: Report) -> None:
    client.force_login(UserFactory())

    answers = {pattern: client.get(address(pattern)).status_code for pattern in PAGES}

    absent = [pattern for pattern in PAGES if "<str:event_id>" in pattern]
    # The dashboard redirects to "My chess".
    expected = {pattern: ABSENT if pattern in absent else NO for pattern in PAGES}
    assert answers == expected | {"desk/": DONE}


@pytest.mark.parametrize("pattern", POSTS)
def test_changes_are_made_by_post_only(officer: Client, report: Report, pattern: str) -> None:
    assert officer.get(address(pattern)).status_code == 405


@pytest.mark.parametrize(
    "path",
    ["desk/tournaments/new", "desk/tournaments/SUI-PLAYED/report", "desk/tournaments/SUI-PLAYED/withdraw"],
)
def test_forms_of_other_sites_are_refused(officer: Client, report: Report, path: str) -> None:
    foreign = Client(enforce_csrf_checks=True)
    foreign.cookies = officer.cookies

    assert foreign.post(f"/{path}", {"reason": "x"}).status_code == 403


def test_only_staff_report_official_events(
    signed_in: Callable[[str], Client], officer: Client, report: Report
) -> None:
    Tournament.objects.update(is_official=True)

    assert officer.get("/desk/tournaments/SUI-PLAYED/report").status_code == NO
    assert signed_in("staff").get("/desk/tournaments/SUI-PLAYED/report").status_code == OPEN
