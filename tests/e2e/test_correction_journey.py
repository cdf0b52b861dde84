"""FIDE staff correct the conditions and the report of a published tournament in a browser without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from ratings.models import Correction, CorrectionLine
from tests import make
from tests.e2e.browser import follow, sign_in
from tests.e2e.conftest import new_context
from tests.e2e.journeys import PASSWORD
from tests.e2e.reflow import scrolls_sideways
from tests.trf_files import PLAYERS, ROUNDS, Event
from tournaments.models import Report, Tournament

CORRECTED = [[(1, 2, "0-1")], *ROUNDS[1:]]
FILE: Any = {
    "name": "b.trf",
    "mimeType": "text/plain",
    "buffer": Event(PLAYERS, CORRECTED, **make.DAYS).content(),
}


@pytest.fixture(scope="module")
def tab(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """Return a page of a browser that runs no scripts; an installed Firefox runs them all the same."""
    context = new_context(browser, live_server, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.fixture
def published(
    transactional_db: None, django_db_serialized_rollback: None, monkeypatch: pytest.MonkeyPatch
) -> Tournament:
    """Return a tournament on the list of February 2026; it is 10 February and staff have an account."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 2, 10, 9, tzinfo=UTC))
    staff = make.user(email="staff@portal.example")
    staff.set_password(PASSWORD)
    staff.save()
    make.appointment(user=staff, role="staff")
    return make.february("SUI-1", PLAYERS, ROUNDS)


EFFECT = "Preview effect"


def press(page: Page, button: str) -> None:
    follow(page.get_by_role("button", name=button, exact=True))


def fill(page: Page, **values: str) -> None:
    for name, value in values.items():
        field = page.locator(f"#content-main [name={name}]")
        # Firefox adds to the digits of a number that is there.
        field.press("Control+a")
        field.press("Delete")
        field.fill(value)


def expect_error(page: Page, error: str) -> None:
    expect(page.locator("#content-main .errorlist li")).to_have_text([error])


def send_again(page: Page, address: str, fields: list[tuple[str, str]]) -> str:
    """Send a form once more, as a browser does that goes back and repeats it, and return the page."""
    headers = {"content-type": "application/x-www-form-urlencoded", "origin": page.url.split("/admin")[0]}
    answer = page.request.post(address, headers=headers, data=urlencode(fields))
    assert answer.status == 200
    return answer.text()


def done() -> tuple[int, int]:
    return Correction.objects.count(), CorrectionLine.objects.count()


def test_conditions_of_a_tournament_are_corrected_once(page: Page, published: Tournament) -> None:
    sign_in(page, "staff@portal.example", "/admin/ratings/correction/")
    page.locator("summary").filter(has_text="New correction").click()
    follow(page.get_by_role("link", name="Correct the conditions of a tournament"))
    fill(page, event="SUI-9")
    press(page, "Show conditions")
    expect_error(page, "No tournament has this name or event ID.")
    fill(page, event="SUI-1")
    press(page, "Show conditions")
    page.locator("[name=has_unequal_times]").check()
    page.get_by_label("Corrected report").set_input_files(FILE)
    reason = "Ben had ten minutes."
    fill(page, time_control="fast", reason=reason)
    press(page, EFFECT)
    expect_error(page, "Enter the time control as minutes plus seconds per move, for example 15+10.")
    expect(page.get_by_text("b.trf was received.").first).to_be_visible()
    fill(page, time_control="15+10")
    press(page, EFFECT)
    assert not scrolls_sideways(page, 390)
    page.set_viewport_size({"width": 1440, "height": 900})
    press(page, "Back")
    shown = [
        page.locator(f"#content-main [name={name}]").input_value() for name in ("time_control", "reason")
    ]
    assert (shown, done()) == (["15+10", reason], (0, 0))
    expect(page.locator("[name=has_unequal_times]")).to_be_checked()

    press(page, EFFECT)
    carried = page.locator("#content-main form input[type=hidden]").all()
    sent = [(one.get_attribute("name") or "", one.input_value()) for one in carried]
    press(page, "Correct the conditions")
    expect(page.get_by_text("The conditions are corrected.").first).to_be_visible()

    address = "/admin/ratings/correction/conditions/?event=SUI-1"
    assert "changed the tournament meanwhile" in send_again(page, address, [*sent, ("confirm", "1")])
    published.refresh_from_db()
    assert (published.has_unequal_times, done()) == (True, (1, 3))
    assert bytes(Report.objects.get(state="accepted").content) == FILE["buffer"]
