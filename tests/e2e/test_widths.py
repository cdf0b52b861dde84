"""Pages at every width from a small phone to a wide screen: nothing scrolls sideways or lies on something else."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page

from players.choices import NoticeKind
from players.models import Notice
from players.notices import message_of
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.reflow import NARROWEST, faults_at_widths, scrolls_sideways
from tests.tournaments.towns import import_some_towns
from tests.trf_files import Event
from tournaments import drafts
from tournaments.reports import upload_report
from tournaments.trf import read_report

LIST = "/lists/rapid/2026-02-01/"
PUBLIC = (
    "/",
    "/lists/",
    LIST,
    f"{LIST}changes/",
    f"{LIST}statistics/",
    f"{LIST}federations/",
    f"{LIST}federations/SUI/",
    f"{LIST}verify/",
    "/tournaments/?view=all",
    "/tournaments/?view=results",
    "/tournaments/?view=all&town=Geneva&within=any",
    "/de/tournaments/?view=results&town=Geneva&within=any&sort=distance",
    "/tournaments/calendar/month?town=Geneva",
    "/federations/SUI/",
    "/federations/SUI/history/",
    "/calculators/",
    "/de/tools/worked-cases/",
    "/api/v1/docs",
    "/api/v1/docs/arenas",
    "/de/rules/",
    "/players/{hero}/",
    "/players/{hero}/tournaments/",
    "/players/{hero}/rapid/2026-02-01/",
    "/tournaments/{event}/",
    "/tournaments/{event}/crosstable/",
)
DESK = {
    "officer": (
        "/desk/",
        "/desk/tournaments/",
        "/desk/tournaments/new",
        "/desk/tournaments/SUI-OVER/reports/1/",
        "/desk/tournaments/SUI-OVER/reports/1/fix",
    ),
    "qc": ("/desk/", "/desk/cases/", "/desk/lists/2026-02-01/", "/de/desk/lists/2026-02-01/"),
}


@pytest.fixture
def month(transactional_db: None, django_db_serialized_rollback: None, tmp_path: Path) -> make.Month:
    make.tournament(name="Open to Come at a Place with a Long Name", city="Geneva", registration="waiting")
    choose_fixes()
    played = make.play_month(3)
    import_some_towns(tmp_path)
    return played


def choose_fixes() -> None:
    """Make a report of which every line is shifted, with the fixes of all chosen."""
    now = timezone.now()
    day = now.date()
    made = make.tournament(event_id="SUI-OVER", start=day, end=day)
    event = Event(
        [(0, f"{number}{'abcdefghij' * 3}") for number in range(1, 5)], [[(1, 2, "1-0"), (3, 4, "1-0")]] * 9
    )
    lines = [
        line[:57] + line[58:] if line.startswith("001 ") else line for line in event.text().split("\r\n")
    ]
    content = "\r\n".join(lines).encode()
    report, read = (
        upload_report(made, content, file_name="over.trf", by=None, on=day, at=now),
        read_report(content),
    )
    drafts.choose(
        report,
        read,
        drafts.fixes_of(
            report, read, " ".join(one.key for one in drafts.offered_fixes(read, report.findings))
        ),
        on=day,
    )


def faults(page: Page, address: str) -> list[tuple[str, int, str]]:
    """Return the page's faults with the widths at which they are; the page is loaded once and resized."""
    answer = page.goto(address)
    assert answer is not None
    assert answer.ok, address
    return [(address, width, fault) for width, fault in faults_at_widths(page)]


def test_pages_hold_at_every_width(page: Page, month: make.Month) -> None:
    named = {"hero": month.hero.pk, "event": month.tournaments[0].event_id}
    found = [fault for address in PUBLIC for fault in faults(page, address.format(**named))]
    for role, addresses in DESK.items():
        held = make.appointment(role=role)
        sign_in(page, held.user.email, "about:blank")
        found += [fault for address in addresses for fault in faults(page, address)]

    assert found == []


def test_email_fits_a_small_phone(page: Page) -> None:
    notice = Notice(
        pk=1,
        recipient="a@example.org",
        kind=NoticeKind.DECISION,
        subject="Decided",
        text=f"It was decided. {settings.SITE_URL}/desk/tournaments/LUX-R261019-BF690D/handed/1/ " * 20,
    )
    [(content, _type)] = message_of(notice).alternatives
    page.set_content(str(content))

    assert not scrolls_sideways(page, NARROWEST)
