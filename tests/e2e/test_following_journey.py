"""A reader without an account on a phone: from four letters to the email with the final rating (point 9)."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Notice
from players.services import notices
from ratings.choices import Work
from ratings.models import Calculation, Run
from ratings.services.provisional import update_next_lists
from ratings.services.runs import perform
from tests.factories import publish
from tests.ratings.played import Month, play_month

READER = "reader@chess.example"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """Return a list whose only element is the portal's present: 20 January 2026 until the test moves on."""
    now = [datetime(2026, 1, 20, 9, tzinfo=UTC)]
    monkeypatch.setattr(timezone, "now", lambda: now[0])
    return now


@pytest.fixture
def month(transactional_db: None, clock: list[datetime]) -> Month:
    """A tournament that is accepted and rated, and on no list yet."""
    played = play_month(is_published=False)
    update_next_lists(at=timezone.now())
    return played


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
    page: Page, month: Month, clock: list[datetime]
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    page.locator("#home-search").press_sequentially("hero")
    page.get_by_role("option").filter(has_text="Hero, Hanna").first.click()
    expect(page.get_by_role("heading", level=1, name="Hero, Hanna")).to_be_visible()

    so_far = page.locator(".so-far .rating").first.inner_text()
    page.get_by_role("link", name="Calculation for February 2026").click()
    expect(page.locator(".calculation .result .amount")).to_have_text(so_far)

    page.goto(f"/players/{month.hero.pk}/")
    page.locator(".follow-menu > summary").click()
    page.locator("#follow-email").fill(READER)
    page.get_by_role("button", name="Follow by email").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    (text,) = emails()
    page.goto(path_in(text, "/follows/confirm/"))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("heading", name="You follow Hero, Hanna")).to_be_visible()

    clock[0] = datetime(2026, 2, 1, 13, tzinfo=UTC)
    publish("rapid", date(2026, 2, 1))
    (text,) = emails()
    assert emails() == []
    final = Calculation.objects.get(player=month.hero, rating_list__date=date(2026, 2, 1)).new_rating
    assert str(final) == so_far
    assert f"Rating {final} " in text
    page.goto(path_in(text, "/players/"))
    expect(page.locator(".calculation .result .amount")).to_have_text(so_far)
