"""What of the access to the desk does not follow from role and object: tests/walk has every page for every role."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import make
from tournaments.models import Report, Tournament

OPEN, NO = 200, 403


@pytest.mark.parametrize(
    "path",
    ["desk/tournaments/new", "desk/tournaments/SUI-PLAYED/report", "desk/tournaments/SUI-PLAYED/withdraw"],
)
def test_forms_of_other_sites_are_refused(officer: Client, checked: Report, path: str) -> None:
    foreign = Client(enforce_csrf_checks=True)
    foreign.cookies = officer.cookies

    assert foreign.post(f"/{path}", {"reason": "x"}).status_code == 403


def test_only_staff_report_official_events(officer: Client, checked: Report) -> None:
    Tournament.objects.update(is_official=True)

    assert officer.get("/desk/tournaments/SUI-PLAYED/report").status_code == NO
    assert make.browser("staff").get("/desk/tournaments/SUI-PLAYED/report").status_code == OPEN
