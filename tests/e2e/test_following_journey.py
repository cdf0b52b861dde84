"""From the registration in the browser to the email with the final rating, read on a phone without an account."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from django.core import mail
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Page, expect

from players import notices
from players.models import Notice
from ratings.choices import Work
from ratings.models import Calculation, Run
from ratings.next_list import update_next_lists
from ratings.runs import perform
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.journeys import (
    clock,
    federation,
    register,
    upload_and_accept,
    work_off,
)

__all__ = ["clock", "federation"]

READER = "reader@chess.example"
PHONE = {"width": 390, "height": 844}


def emails() -> list[str]:
    """Send what is due, as the worker would, and return the texts of this round."""
    mail.outbox.clear()
    for run in Run.objects.filter(work=Work.MAIL).exclude(state="done"):
        perform(run.work, run.subject, at=timezone.now())
    for notice in Notice.objects.filter(state="due", recipient=READER):
        notices.send(notice.pk, at=timezone.now())
    return [str(message.body) for message in mail.outbox if message.to == [READER]]


def path_in(text: str, place: str) -> str:
    found = re.search(rf"https?://[^/\s]+({place}\S*)", text)
    assert found, text
    return found[1]


def test_reader_follows_a_player_from_four_letters_to_the_final_rating(
    page: Page, federation: None, clock: list[datetime]
) -> None:
    make.publish("rapid", date(2026, 3, 1))
    sign_in(page, "officer@portal.example")
    register(page)
    clock[0] = datetime(2026, 3, 9, 18, tzinfo=UTC)
    upload_and_accept(page)
    work_off()
    page.reload()
    expect(page.locator(".page-head .state")).to_contain_text("rated")
    update_next_lists(at=timezone.now())
    page.context.clear_cookies()

    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    so_far = find_the_provisional_rating(page)
    follow_by_email(page)

    clock[0] = datetime(2026, 4, 1, 13, tzinfo=UTC)
    call_command("publish_lists", "2026-04-01", verbosity=0)
    (text,) = emails()
    assert emails() == []
    calculation = Calculation.objects.get(player_id=1_300_001, rating_list__date=date(2026, 4, 1))
    assert str(calculation.new_rating) == so_far
    assert f"Rating {so_far} " in text
    page.goto(path_in(text, "/players/"))
    expect(page.locator(".calculation .result .amount")).to_have_text(so_far)
    page.goto("/players/1300001/")
    expect(page.locator(".so-far")).to_have_count(0)
    expect(page.locator(".rating-cards .rating").first).to_have_text(so_far)


def find_the_provisional_rating(page: Page) -> str:
    """Go from the home page to the provisional rating and its calculation, and return the rating."""
    page.goto("/")
    page.locator("#home-search").press_sequentially("alde")
    page.get_by_role("option").filter(has_text="Alder, Ada").first.click()
    expect(page.get_by_role("heading", level=1, name="Alder, Ada")).to_be_visible()
    so_far = page.locator(".so-far .rating").first.inner_text()
    expect(page.locator(".so-far .change")).to_be_visible()
    page.get_by_role("link", name="Calculation for April 2026").click()
    expect(page.locator(".calculation .result .amount")).to_have_text(so_far)
    return so_far


def follow_by_email(page: Page) -> None:
    page.goto("/players/1300001/")
    sheet = page.locator(".follow-box")
    page.locator(".follow-menu > summary").click()
    expect(page.locator("#follow-email")).to_be_focused()
    # Back closes the sheet, and the page stays.
    page.go_back()
    expect(sheet).to_be_hidden()
    page.locator(".follow-menu > summary").click()
    box, field = sheet.bounding_box(), page.locator("#follow-email").bounding_box()
    assert box is not None
    assert field is not None
    assert (box["x"], box["width"], box["height"] <= 430, field["x"] >= 0) == (0, PHONE["width"], True, True)
    page.locator("#follow-email").fill(READER)
    page.get_by_role("button", name="Email me a link").click()
    expect(sheet.get_by_role("heading", name="Check your email")).to_be_focused()
    expect(sheet).to_contain_text(READER)
    sheet.get_by_role("link", name="Back to Alder, Ada").click()
    expect(sheet).to_be_hidden()
    assert page.url.endswith("/players/1300001/")
    (text,) = emails()
    page.goto(path_in(text, "/follows/confirm/"))
    page.get_by_role("button", name="Follow Alder, Ada").click()
    expect(page.get_by_role("heading", name="You follow Alder, Ada")).to_be_visible()
