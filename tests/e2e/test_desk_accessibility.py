"""The desk and the portal's own pages of the admin under axe: no violation at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from players.data_changes import ask_change
from players.models import ChangeRequest, Player
from portal.models import User
from ratings.models import FeeRate
from tests import make
from tests.e2e.browser import SCHEMES, axe_violations, context_to_examine, sign_in
from tests.e2e.journeys import PLAYERS, ROUNDS, federation
from tests.e2e.reflow import NARROWEST, scrolls_sideways, scrolls_when_spaced
from tests.trf_files import Event
from tournaments.appeals import AppealRequest, lodge_appeal
from tournaments.arbiters import name_arbiter
from tournaments.choices import Action
from tournaments.handover import hand_over, keep_checked
from tournaments.models import Tournament
from tournaments.qc import decide
from tournaments.reports import Upload, upload_report

__all__ = ["federation"]

OFFICERS = [
    "/desk/",
    "/desk/tournaments/",
    "/desk/tournaments/new",
    "/desk/tournaments/SUI-OVER/",
    "/desk/tournaments/SUI-OVER/report",
    "/desk/tournaments/SUI-OVER/reports/1/",
    "/desk/tournaments/SUI-LATE/withdraw",
    "/desk/tournaments/SUI-LATE/change",
    "/desk/tournaments/SUI-FAST/appeal/new",
    "/desk/tournaments/SUI-SLOW/appeal",
    "/desk/tournaments/SUI-SLOW/",
    "/desk/tournaments/SUI-OVER/arbiters",
    "/desk/tournaments/SUI-OVER/handed/1/",
    "/desk/tournaments/SUI-OVER/handed/1/preview",
    "/desk/arbiter/SUI-OVER/",
    "/desk/players/bulk",
    "/desk/cases/",
    "/desk/players/changes/new",
]
STAFFS = [
    "/desk/",
    "/desk/players/titles",
    "/desk/players/arbiters",
    "/desk/qc/SUI-LATE/",
    "/desk/cases/",
    "/desk/trail/",
    "/admin/",
    "/admin/ratings/ratinglist/publish/",
    "/admin/ratings/correction/correct/",
    "/admin/ratings/correction/conditions/?event=SUI-OVER",
    "/admin/ratings/fideimport/start/",
    "/admin/ratings/run/",
    "/admin/players/player/",
    "/admin/players/player/add/",
    "/admin/players/federation/",
    "/admin/tournaments/",
    "/admin/tournaments/tournament/",
    "/admin/tournaments/tournament/{over}/change/",
    "/admin/ratings/feerate/{rate}/history/",
]
DESKTOP, TABLET = 1440, 768


@pytest.fixture
def events(federation: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one tournament have a report with findings, and another wait for the QC."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 3, 2, 9, tzinfo=UTC))
    over = make.tournament(event_id="SUI-OVER", start=date(2026, 2, 27), end=date(2026, 2, 28))
    make.tournament(event_id="SUI-LATE", start=date(2026, 3, 4), registration="waiting")
    day = date(2026, 3, 1)
    event = Event(PLAYERS, ROUNDS, start="2026/02/27", end="2026/02/28", round_dates=["26/02/27"] * 3)
    for event_id in ("SUI-FAST", "SUI-SLOW"):
        made = make.tournament(event_id=event_id, start=date(2026, 2, 20))
        decide(made, Action.NOT_RATE, reason="Two minutes a player.", by=None, at=make.noon(day))
    request = AppealRequest("facts", "It was 15+10.", "Club", [("clock.pdf", b"%PDF-1.7")])
    lodge_appeal(made, request, by=None, at=make.noon(day))
    upload_report(over, event.content(), file_name="over.trf", by=None, on=day, at=make.noon(day))
    FeeRate.objects.create(valid_from=date(2026, 1, 1), currency="CHF", per_tournament=40, per_player=1)
    officer = User.objects.get(email="officer@portal.example")
    make.appointment(user=officer, role="arbiter", federation=over.federation)
    name_arbiter(over, officer.email, by=officer, at=make.noon(day))
    handed = keep_checked(over, Upload(event.content(), "over.trf", officer, day, make.noon(day)))
    hand_over(handed, remark="As played.", by=officer, at=make.noon(day))
    player = Player.objects.order_by("pk")[0]
    wanted = ChangeRequest(player=player, reason="She married.", evidence="Certificate.", name="Birch, Ada")
    ask_change(wanted, by=officer, at=make.noon(day))


def of_staff() -> list[str]:
    """Return the pages of FIDE staff, with the keys of their rows in the admin."""
    over = Tournament.objects.get(event_id="SUI-OVER").pk
    rate = FeeRate.objects.get().pk
    return [path.format(over=over, rate=rate) for path in STAFFS]


def faults_of(page: Page, paths: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield page, rule and first place of what axe finds, and the pages that are wider than a screen.

    The pages of the desk are in German, whose words are the longest of the languages offered.
    """
    for number, path in enumerate(paths):
        page.emulate_media(color_scheme=SCHEMES[number % 2])
        page.set_viewport_size({"width": DESKTOP, "height": 900})
        answer = page.goto(f"/de{path}" if path.startswith("/desk/") else path)
        if answer is None or answer.status != 200:
            yield path, "status", str(answer and answer.status)
        for violation in axe_violations(page, in_colours=True):
            yield path, violation["id"], violation["nodes"][0]["html"]
        for width in (DESKTOP, TABLET, NARROWEST):
            if scrolls_sideways(page, width):
                yield path, "scrolls sideways", str(width)
        if path.startswith("/desk/") and scrolls_when_spaced(page):
            yield path, "scrolls sideways", "letters apart"


@pytest.mark.usefixtures("django_db_serialized_rollback", "events")
def test_the_desk_and_the_admin_are_accessible_and_keep_within_phone_and_tablet(
    browser: Browser, live_server: LiveServer
) -> None:
    make.appointment(user=User.objects.get(email="staff@portal.example"), role="qc")
    decision = f"/desk/cases/{ChangeRequest.objects.get().number}/"
    faults: list[tuple[str, str, str]] = []
    people = {"officer@portal.example": OFFICERS, "staff@portal.example": [*of_staff(), decision]}
    for email, paths in people.items():
        context = context_to_examine(browser, live_server.url)
        page = context.new_page()
        sign_in(page, email, "about:blank")
        faults += faults_of(page, paths)
        context.close()
    assert faults == []


# Targets of 24 pixels (WCAG 2.2, 2.5.8), which axe checks only if asked.
@pytest.mark.usefixtures("django_db_serialized_rollback", "events")
def test_admin_is_used_on_a_phone(browser: Browser, live_server: LiveServer) -> None:
    of_december = {"reports": [{"event_id": "SUI-R261003-07E1F6", "sha256": "8" * 64}]}
    rated = make.rating_list(kind="rapid", date=date(2025, 12, 1), manifest={"a": {"b": of_december}})
    context = context_to_examine(browser, live_server.url)
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    sign_in(page, "staff@portal.example", "/admin/tournaments/tournament/")
    small = axe_violations(page, runOnly=["target-size"])
    day = page.locator("#result_list td.field-start").first.bounding_box()
    page.goto(f"/admin/ratings/ratinglist/{rated.pk}/change/")
    code = page.get_by_text("SUI-R261003-07E1F6").last.bounding_box()

    assert small == []
    assert day is not None
    assert code is not None
    assert (day["height"] < 60, code["height"] < 40) == (True, True)
    context.close()


@pytest.mark.usefixtures("django_db_serialized_rollback", "events")
def test_long_words_in_the_admin_widen_neither_a_table_nor_the_page(
    browser: Browser, live_server: LiveServer
) -> None:
    context = browser.new_context(base_url=live_server.url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    sign_in(page, "staff@portal.example", "/admin/players/logentry/")
    page.locator("td.field-why").first.evaluate("cell => { cell.textContent = 'w'.repeat(80) }")
    too_wide = page.locator("#changelist .results").evaluate("part => part.scrollWidth - part.clientWidth")
    # Two lines of a date and time.
    lines = page.locator("th.field-at a").evaluate_all(
        "dates => Math.max(...dates.map(date => date.getClientRects().length))"
    )

    # What somebody typed is repeated in a paragraph before it is confirmed.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/admin/portal/user/data/")
    page.locator("#content-main p").first.evaluate("text => { text.textContent = 'w'.repeat(80) }")
    sideways = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    assert (too_wide, lines <= 2, sideways) == (0, True, 0)
    context.close()
