"""What the QC and FIDE Council decide, and how the officer learns of it, in a real browser (0.2, 0.4)."""

from __future__ import annotations

import os
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from ratings.publish.due_reports import due_reports
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.journeys import clock, federation
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.qc import decide

__all__ = ["clock", "federation"]

TODAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
OFFICER, CHAIR, COUNCIL = "officer@portal.example", "qc@portal.example", "council@portal.example"


@pytest.fixture
def deciders(federation: None) -> None:
    """Let the QC have a chair, and FIDE Council a member."""
    for email, role in ((CHAIR, "qc"), (COUNCIL, "council")):
        make.appointment(user__email=email, role=role)


def turn_to(page: Page, email: str, to: str = "/desk/") -> None:
    page.context.clear_cookies()
    sign_in(page, email, to)


def register(page: Page, *, name: str, day: str, hybrid: bool = False) -> None:
    sign_in(page, OFFICER, "/desk/tournaments/new")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("rapid", exact=True).check()
    page.get_by_label("Time control").fill("15+10")
    page.get_by_label("First day").fill(day)
    page.get_by_label("Last day").fill(day)
    page.get_by_label("Rounds required").fill("5")
    page.get_by_label("Chief arbiter").fill("Arbiter, Anna")
    if hybrid:
        page.get_by_text("Special cases").click()
        page.get_by_label("Hybrid tournament").check()
    if not hybrid:
        page.get_by_label("Reason for the late registration").fill("The hall was lost in a fire.")
    page.get_by_role("button", name="Send to the QC").click()
    expect(page.locator(".page-head .state")).to_contain_text("waiting for QC decision")


def decide_as_chair(page: Page, *, name: str, verb: str, reason: str) -> None:
    turn_to(page, CHAIR)
    page.get_by_role("link", name=name).first.click()
    page.get_by_label(verb).check()
    page.get_by_label("Reason for the decision").fill(reason)
    page.get_by_role("button", name="Apply decision", exact=True).click()
    expect(page.get_by_text(f"Decision recorded: {name} is").first).to_be_visible()


def open_tournament(page: Page, name: str) -> None:
    turn_to(page, OFFICER, "/desk/tournaments/")
    page.get_by_role("link", name=name).first.click()


def fits_at(page: Page, *widths: int) -> None:
    """Expect the page without sideways scrolling; keep pictures where SHOTS names a folder."""
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        if folder := os.environ.get("SHOTS"):
            page.screenshot(path=f"{folder}/register-{width}.png")
            page.screenshot(path=f"{folder}/register-{width}-full.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_0_2_a_late_registration_takes_eight_clicks_from_the_form_to_the_decision(
    own_page: Page, deciders: None, clock: list[datetime]
) -> None:
    """Count each press of a button, link or choice of both people; what is typed needs the keyboard alone."""
    page = own_page
    count = "addEventListener('click', (e) => e.isTrusted && (sessionStorage.clicks = +sessionStorage.clicks + 1))"
    page.add_init_script(count)
    sign_in(page, OFFICER)
    page.evaluate("sessionStorage.setItem('clicks', 0)")
    page.get_by_role("link", name="Register tournament").first.click()
    for label, text in (
        ("Name", "Harbour Rapid"),
        ("Time control", "15+10"),
        ("First day", "2026-03-04"),
        ("Last day", "2026-03-04"),
        ("Rounds required to fill in the schedule", "5"),
        ("Chief arbiter", "Arbiter, Anna"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_label("Reason for the late registration").fill("The hall was confirmed today.")
    expect(page.locator("#typed-rules")).to_contain_text("Today: sent to the QC")
    fits_at(page, 1440, 390)
    page.get_by_role("button", name="Send to the QC").click()
    expect(page.locator(".page-head .state")).to_contain_text("waiting for QC decision")
    clicks = int(page.evaluate("sessionStorage.clicks"))

    turn_to(page, CHAIR)
    page.evaluate("sessionStorage.setItem('clicks', 0)")
    page.get_by_role("link", name="Harbour Rapid").first.click()
    expect(page.get_by_text("The hall was confirmed today.").first).to_be_visible()
    page.get_by_label("Approve").check()
    page.get_by_label("Reason for the decision").fill("The hall is proof enough.")
    page.get_by_role("button", name="Apply decision", exact=True).click()
    expect(page.get_by_text("Decision recorded: Harbour Rapid is").first).to_be_visible()
    clicks += int(page.evaluate("sessionStorage.clicks"))

    assert (Tournament.objects.get().registration, clicks) == ("approved", 5)


def test_a_hybrid_is_refused_and_its_officer_reads_why(
    page: Page, deciders: None, clock: list[datetime]
) -> None:
    register(page, name="Two Cities Rapid", day="2026-03-20", hybrid=True)

    decide_as_chair(page, name="Two Cities Rapid", verb="Refuse", reason="No arbiter at the second venue.")

    open_tournament(page, "Two Cities Rapid")
    expect(page.locator(".page-head .state")).to_contain_text("refused")
    expect(page.get_by_text("No arbiter at the second venue.").first).to_be_visible()


def not_rated(days_ago: int) -> Tournament:
    """Return a reported tournament of which it was decided so many days ago not to rate it."""
    made = make.tournament(
        event_id="SUI-FAST", name="Lightning Rapid", start=date(2026, 2, 10), end=date(2026, 2, 11)
    )
    make.play(made, [], [])
    made.refresh_from_db()
    at = TODAY - timedelta(days=days_ago)
    return decide(made, Action.NOT_RATE, reason="Two minutes a player.", by=None, at=at)


def test_0_4_appealed_on_the_seventh_day_and_upheld_it_is_due_for_the_next_list(
    page: Page, deciders: None, clock: list[datetime]
) -> None:
    tournament = not_rated(7)
    sign_in(page, OFFICER, "/desk/tournaments/SUI-FAST/appeal/new")
    page.get_by_label("Organiser who appeals").fill("Chess Club Alphaville")
    page.get_by_label("the facts differ from the decision").check()
    page.get_by_label("Why the tournament should be rated").fill("Both rounds were played at 15+10.")
    page.get_by_role("button", name="Submit appeal").click()
    expect(page.get_by_text("The appeal was submitted. FIDE Council decides.").first).to_be_visible()

    turn_to(page, COUNCIL)
    page.get_by_role("link", name="Lightning Rapid").first.click()
    page.get_by_label("Reasons of FIDE Council", exact=True).fill("The clocks prove it.")
    page.get_by_label("Uphold the appeal").check()
    page.get_by_role("button", name="Apply decision", exact=True).click()
    expect(page.get_by_text("Appeal (Lightning Rapid): upheld").first).to_be_visible()

    open_tournament(page, "Lightning Rapid")
    expect(page.get_by_text("The clocks prove it.").first).to_be_visible()
    due = [report.tournament_id for report in due_reports("rapid", date(2026, 4, 1))]
    assert due == [tournament.pk]
