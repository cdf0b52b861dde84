"""FIDE staff merge two IDs of one person in a real browser, and old links still lead to the player."""

from __future__ import annotations

from datetime import date

import pytest
from playwright.sync_api import Page, expect

from players.models import Player
from tests import make
from tests.e2e.browser import sign_in
from tests.e2e.journeys import clock

__all__ = ["clock"]

STAFF = "staff@portal.example"


@pytest.fixture
def month(transactional_db: None, django_db_serialized_rollback: None) -> make.Month:
    """Let a month be published, and the staff have an account."""
    make.appointment(user__email=STAFF, role="staff")
    return make.play_month(2)


@pytest.mark.usefixtures("clock")
def test_old_links_lead_to_the_player_after_a_merge(page: Page, month: make.Month) -> None:
    hero = month.hero
    twin = make.player(name=hero.name, sex=hero.sex, birth_year=hero.birth_year)
    old, new = hero.pk, twin.pk
    sign_in(page, STAFF)
    page.get_by_role("link", name="Players", exact=True).last.click()
    page.get_by_role("link", name="Merge duplicate players").click()
    page.get_by_label("Duplicate player").fill(str(old))
    page.get_by_label("Player to keep").fill(str(new))
    page.get_by_label("Reason").fill("The same passport.")
    page.get_by_label("Reason").press("Enter")
    effect = page.get_by_role("table", name="Comparison of the two FIDE IDs")
    expect(effect.get_by_role("row", name="rapid")).to_contain_text("unrated")
    assert not Player.objects.exclude(merged_into=None).exists()
    page.get_by_role("button", name="Merge players permanently").dblclick()
    expect(page.get_by_text(f"FIDE ID {old} now redirects to {new}.").first).to_be_visible()
    make.publish("rapid", date(2026, 3, 1))

    page.context.clear_cookies()
    page.goto(f"/players/{old}/")
    expect(page).to_have_url(f"/players/{new}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(hero.name)
    past = page.get_by_role("heading", name=f"Under the former FIDE ID {old}")
    expect(past).to_be_visible()
    page.locator("section", has=past).get_by_role("link", name="February 2026").click()
    expect(page).to_have_url(f"/players/{old}/rapid/2026-02-01/")
    page.get_by_role("main").get_by_role("link", name=str(new), exact=True).first.click()
    expect(page).to_have_url(f"/players/{new}/")

    page.goto(f"/search?q={old}")
    expect(page).to_have_url(f"/players/{new}/")
    answer = page.request.get(f"/api/v1/players/{old}")
    assert (answer.json()["fide_id"], answer.json()["former_ids"]) == (new, [old])
    rapid = next(item for item in answer.json()["ratings"] if item["kind"] == "rapid")
    assert rapid["rating"] == make.publish("rapid", date(2026, 3, 1)).entries.get(player=new).rating
