"""A month by four people: the officer registers, the QC decides, the arbiter hands over, staff publish (0.2, 8.1)."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from playwright.sync_api import FilePayload, Page, expect

from players.models import Federation
from tests import make
from tests.e2e.browser import follow
from tests.e2e.journeys import (
    PLAYERS,
    ROUNDS,
    clock,
    federation,
    give_reasons,
    publish_the_due_lists,
    the_public_sees_the_rating,
    work_off,
)
from tests.e2e.test_arbiter_on_a_phone import ARBITER, PHONE, fits
from tests.e2e.test_qc_journeys import decide_as_chair, deciders, open_tournament, register, turn_to
from tests.trf_files import Event
from tournaments.models import Tournament

__all__ = ["clock", "deciders", "federation"]

STAFF = "staff@portal.example"
DESKTOP = {"width": 1280, "height": 720}
NAME = "Harbour Rapid"


@pytest.fixture
def four_people(deciders: None) -> None:
    """Let the federation of the officer have an arbiter too."""
    make.appointment(user__email=ARBITER, role="arbiter", federation=Federation.objects.get(pk="SUI"))


def test_four_people_bring_a_late_tournament_to_the_list(
    page: Page, four_people: None, clock: list[datetime]
) -> None:
    register(page, name=NAME, day="2026-03-04")
    page.goto(f"/desk/tournaments/{Tournament.objects.get().event_id}/arbiters")
    page.get_by_label("Email").fill(ARBITER)
    follow(page.get_by_role("button", name="Invite the arbiter"))

    decide_as_chair(page, name=NAME, verb="Approve", reason="The hall was lost in a fire.")

    clock[0] = datetime(2026, 3, 5, 9, tzinfo=UTC)
    hand_over_as_arbiter(page)

    clock[0] = datetime(2026, 3, 6, 9, tzinfo=UTC)
    accept_as_officer(page)
    work_off()

    clock[0] = datetime(2026, 4, 1, 8, tzinfo=UTC)
    make.publish("rapid", date(2026, 3, 1))
    turn_to(page, STAFF)
    publish_from_the_dashboard(page)
    page.context.clear_cookies()

    the_public_sees_the_rating(page)


def hand_over_as_arbiter(page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    turn_to(page, ARBITER)
    fits(page, "arbiter-desk")
    follow(page.get_by_role("link", name=NAME).first)
    day = "2026/03/04"
    event = Event(PLAYERS, ROUNDS, name=NAME, start=day, end=day, round_dates=["26/03/04"] * 3)
    file: FilePayload = {"name": "harbour.trf", "mimeType": "text/plain", "buffer": event.content()}
    page.get_by_label("Report (TRF)").set_input_files(files=[file])
    follow(page.get_by_role("button", name="Check report", exact=True))
    page.locator(".unfold > summary").click()
    page.locator("summary", has_text="Remark").click()
    remark = page.get_by_label("Remark")
    remark.fill("Three of the five rounds were played.")
    follow(page.get_by_role("button", name="Send to the rating officer"))
    expect(page.get_by_text("The report was sent.").first).to_be_visible()
    fits(page, "arbiter-sent")
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def accept_as_officer(page: Page) -> None:
    open_tournament(page, NAME)
    follow(page.get_by_role("link", name="View the arbiter's report"))
    follow(page.get_by_role("button", name="Add as a new version"))
    give_reasons(page, "Compared with the arbiter's papers.")
    follow(page.get_by_role("button", name="Accept report"))
    expect(page.get_by_text("The report is accepted.").first).to_be_visible()


def publish_from_the_dashboard(page: Page) -> None:
    follow(page.get_by_role("link", name="Publish lists"))
    publish_the_due_lists(page)
