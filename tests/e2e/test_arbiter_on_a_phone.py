"""The chief arbiter checks, previews and sends the report from a phone; nothing scrolls sideways."""

from __future__ import annotations

import os
from datetime import date, datetime

from playwright.sync_api import FilePayload, Page, expect

from players.models import Federation
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.journeys import PLAYERS, ROUNDS, clock, federation
from tests.trf_files import Event
from tournaments.models import Handover, NamedArbiter

__all__ = ["clock", "federation"]

PHONE = {"width": 390, "height": 844}
ARBITER = "arbiter@portal.example"


def fits(page: Page, name: str) -> None:
    """Expect a page without sideways scrolling; keep a picture where SHOTS names a folder."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_arbiter_checks_previews_and_sends_the_report_from_a_phone(
    page: Page, federation: None, clock: list[datetime]
) -> None:
    swiss = Federation.objects.get(pk="SUI")
    user = make.user(email=ARBITER)
    make.appointment(user=user, role="arbiter", federation=swiss)
    made = make.tournament(
        event_id="SUI-PHONE",
        name="Spring Rapid of Alphaville",
        federation=swiss,
        start=date(2026, 2, 28),
        end=date(2026, 3, 1),
    )
    NamedArbiter.objects.create(tournament=made, user=user, named_at=clock[0])
    rounds = ["26/02/28"] * 3
    event = Event(PLAYERS, ROUNDS, name=made.name, start="2026/02/28", end="2026/03/01", round_dates=rounds)
    content = event.content()
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    sign_in(page, ARBITER, "/desk/arbiter/SUI-PHONE/")
    expect(page.get_by_role("heading", level=1, name=made.name)).to_be_visible()
    fits(page, "arbiter")

    file: FilePayload = {"name": "open.trf", "mimeType": "text/plain", "buffer": content}
    page.get_by_label("Report (TRF)").set_input_files(files=[file])
    page.get_by_role("button", name="Check report", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Report 1 of the chief arbiter")).to_be_visible()
    fits(page, "handed")
    page.locator(".downloads-menu > summary").click()
    page.get_by_role("link", name="Preview ratings").click()
    expect(page.get_by_text("Alder, Ada").first).to_be_visible()
    fits(page, "preview")
    page.go_back()
    page.get_by_role("button", name="Send to the rating officer").dblclick()
    expect(page.get_by_text("The report was sent.").first).to_be_visible()
    fits(page, "sent")

    assert [*Handover.objects.values_list("state", flat=True)] == ["waiting"]
    page.goto("/desk/tournaments/SUI-PHONE/files")
    fits(page, "files")
