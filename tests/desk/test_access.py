"""What of the access to the desk does not follow from role and object: tests/walk has every page for every role."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from tests.desk.conftest import NOW
from tournaments.models import Report, Tournament

OPEN, NO = 200, 403


@pytest.fixture
def report(played: Tournament, report_of: Callable[..., bytes]) -> Report:
    return Report.objects.create(
        tournament=played,
        version=1,
        state="checked",
        file_name="open.trf",
        content=report_of(),
        sha256="0" * 64,
        submitted_on=NOW.date(),
        submitted_at=NOW,
    )


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
