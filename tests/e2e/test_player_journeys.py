"""A player in a real browser: account, claim, own results, objection; each page at the width of a phone and a desk."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from players.models import Notice
from tests import make
from tests.e2e.browser import axe_violations, follow, sign_in
from tests.e2e.reflow import scrolls_sideways
from tournaments.models import Report

WIDTHS = (390, 1440)
OFFICER = "officer@portal.example"


@pytest.fixture(autouse=True)
def _world(transactional_db: None, live_server: LiveServer, settings: Settings) -> None:
    settings.SITE_URL = live_server.url
    swiss = make.federation(code="SUI", name="Switzerland")
    make.appointment(user__email=OFFICER, role="officer", federation=swiss)
    names = ("Alder, Ada", "Birch, Ben", "Cedar, Cleo", "Dogwood, Dora")
    players = [
        make.player(fide_id=1_300_001 + n, name=name, federation=swiss, birth_year=2012)
        for n, name in enumerate(names)
    ]
    for player in players:
        make.entry(player=player)
    make.play_and_rate(
        make.tournament(event_id="SUI-PLAYED", federation=swiss), players, make.round_robin(4, "1-0")
    )
    Report.objects.update(accepted_on=timezone.now().date())


def look(page: Page, name: str) -> None:
    """Look at a page at both widths: nothing scrolls sideways, and axe finds nothing."""
    for width in WIDTHS:
        assert not scrolls_sideways(page, width), (name, width)
    assert axe_violations(page) == []


def test_a_player_claims_a_record_and_objects(
    browser: Browser, live_server: LiveServer, settings: Settings
) -> None:
    player = browser.new_context(base_url=live_server.url, locale="en-GB", bypass_csp=True).new_page()
    officer = browser.new_context(base_url=live_server.url, locale="en-GB", bypass_csp=True).new_page()
    player.goto("/accounts/signup/")
    look(player, "signup")
    player.get_by_label("Email address").fill("ada@chess.example")
    follow(player.get_by_role("button", name="Email me a link"))
    expect(player.get_by_role("heading", name="Check your email")).to_be_visible()
    text = Notice.objects.get(recipient="ada@chess.example").content
    player.goto(re.findall(r"http\S+", text)[0])
    look(player, "confirm")
    player.get_by_label("First name").fill("Ada")
    player.get_by_label("Last name").fill("Alder")
    player.get_by_label("Password").fill("correct horse battery")
    follow(player.get_by_role("button", name="Create account"))
    look(player, "claim-form")
    player.get_by_label("Name or FIDE ID").fill("1300001")
    player.get_by_label("Reason").fill("Chess Club Alphaville, licence of this year")
    follow(player.get_by_role("button", name="Send claim"))
    look(player, "waiting")

    sign_in(officer, OFFICER)
    follow(officer.get_by_role("link", name="Requests"))
    look(officer, "requests")
    follow(officer.get_by_role("link", name="Alder, Ada"))
    look(officer, "claim")
    officer.get_by_label("Reason for the decision").fill("Known to the club")
    officer.get_by_label("Confirm claim").check()
    follow(officer.get_by_role("button", name="Apply decision"))

    player.goto("/desk/chess/")
    look(player, "mine")
    follow(player.get_by_role("link", name="Object to a result"))
    follow(player.locator("#result").get_by_role("link").first)
    look(player, "result")
    player.get_by_label("What is wrong").fill("I lost in round 1.")
    follow(player.get_by_role("button", name="Send objection"))
    look(player, "objected")

    officer.goto("/desk/tournaments/SUI-PLAYED/")
    look(officer, "tournament")
    follow(officer.get_by_role("link", name="Objections of players"))
    look(officer, "objections")
    officer.get_by_label("Decline").check()
    officer.get_by_label("Reason").fill("The score sheet shows a win.")
    follow(officer.get_by_role("button", name="Send reply"))
    look(officer, "answered")
    player.reload()
    expect(player.get_by_text("The score sheet shows a win.").first).to_be_visible()
    player.context.close()
    officer.context.close()
