"""How people and players come in, in a real browser: invitations, new players, transfers, forms sent twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from players import notices
from players.models import Appointment, Notice, Player, Transfer
from portal.models import User
from tests import make
from tests.e2e.browser import axe_violations, follow, sign_in
from tests.e2e.conftest import new_context
from tests.e2e.journeys import PASSWORD, clock, federation
from tests.log import steps
from tournaments.models import Tournament

__all__ = ["clock", "federation"]

STAFF, OFFICER = "staff@portal.example", "officer@portal.example"
NEW = "/desk/tournaments/new"


@pytest.fixture
def other(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """Return a page of another person's browser."""
    context = new_context(browser, live_server)
    yield context.new_page()
    context.close()


def account(email: str, role: str, code: str) -> None:
    make.appointment(user__email=email, role=role, federation=make.federation(code=code))


def invite(page: Page, email: str, role: str) -> None:
    page.goto("/desk/people/")
    page.get_by_label("Email address").fill(email)
    page.get_by_label("Role").select_option(label=role)
    page.get_by_role("button", name="Send invitation").dblclick()
    expect(page.get_by_text(f"An invitation was sent to {email}.").first).to_be_visible()


def accept(page: Page, email: str) -> str:
    """Open the link of the one mail to an address, make the account and return the link."""
    for number in Notice.objects.filter(state="due").values_list("pk", flat=True):
        notices.send(number, at=timezone.now())
    (message,) = [one for one in mail.outbox if one.to == [email]]
    found = re.search(r"https?://[^/]+(/invitations/\S+)", str(message.body))
    assert found is not None
    page.goto(found[1])
    page.get_by_label("First name").fill("Nora")
    page.get_by_label("Last name").fill("New")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").dblclick()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
    return found[1]


def fill_registration(page: Page, *, name: str = "Spring Rapid") -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("rapid", exact=True).check()
    page.get_by_label("Time control").fill("15+10")
    page.get_by_label("First day").fill("2026-03-21")
    page.get_by_label("Last day").fill("2026-03-22")
    page.get_by_label("Round 1: date").fill("2026-03-21")
    page.get_by_label("Round 2: date").fill("2026-03-22")
    page.get_by_label("Chief arbiter").fill("Arbiter, Anna")


def register(page: Page) -> None:
    page.get_by_role("button", name="Register tournament", exact=True).dblclick()
    expect(page.locator(".page-head .state")).to_contain_text("registered")


def test_staff_invite_an_officer_who_registers_and_invites_a_deputy(
    page: Page, other: Page, federation: None, clock: object
) -> None:
    sign_in(page, STAFF, "/desk/people/")
    page.locator("select[name=federation]").select_option("SUI")
    page.get_by_label("Email address").fill("nora@portal.example")
    page.get_by_label("Role").select_option(label="rating officer")
    page.get_by_role("button", name="Send invitation").dblclick()
    expect(page.get_by_text("An invitation was sent to nora@portal.example.").first).to_be_visible()

    link = accept(other, "nora@portal.example")
    follow(other.get_by_role("link", name="Register tournament").first)
    fill_registration(other)
    register(other)
    invite(other, "dora@portal.example", "deputy rating officer")
    other.context.clear_cookies()
    accept(other, "dora@portal.example")

    other.goto(link)
    expect(other.get_by_role("heading", name="This invitation is no longer valid")).to_be_visible()
    made = Appointment.objects.filter(user__email__in=["nora@portal.example", "dora@portal.example"])
    assert sorted(made.values_list("user__email", "role", "federation_id")) == [
        ("dora@portal.example", "deputy", "SUI"),
        ("nora@portal.example", "officer", "SUI"),
    ]
    assert Tournament.objects.get().registered_by == User.objects.get(email="nora@portal.example")


def test_a_new_player_is_looked_for_and_gets_one_number(page: Page, federation: None) -> None:
    known = make.player(
        name="Alder, Adam",
        federation=make.federation(code="SUI"),
        birth_date=date(2010, 6, 5),
        birth_year=2010,
    )
    before = Player.objects.count()
    for name in ("Elm, Eva", "Alder, Adam"):
        sign_in(page, OFFICER, "/desk/players/new")
        surname, given_names = name.split(", ")
        page.get_by_label("Surname").fill(surname)
        page.get_by_label("Given names").fill(given_names)
        expect(page.locator("[data-listed]")).to_have_text(name)
        page.get_by_label("female", exact=True).check()
        page.get_by_label("Date of birth").fill("2010-05-06")
        page.get_by_role("button", name="Register player").dblclick()
        if name == "Elm, Eva":
            expect(page.get_by_text("Elm, Eva has FIDE ID").first).to_be_visible()
    expect(page.get_by_text("This player may already have a FIDE ID.").first).to_be_visible()
    expect(page.get_by_role("link", name="Alder, Adam").first).to_be_visible()
    assert (Player.objects.count(), Player.objects.filter(name=known.name).count()) == (before + 1, 1)
    new = Player.objects.get(name="Elm, Eva")
    assert (new.federation_id, new.birth_date) == ("SUI", date(2010, 5, 6))


def test_a_transfer_is_agreed_by_both_sides(page: Page, other: Page, federation: None) -> None:
    account("austria@portal.example", "officer", "AUT")
    sign_in(page, OFFICER, "/desk/players/transfers/")
    page.get_by_label("FIDE ID of the player").fill("1300001")
    page.get_by_label("New federation").select_option("AUT")
    page.get_by_role("button", name="Send request").dblclick()
    expect(page.get_by_text("The other federation was asked to approve the transfer.").first).to_be_visible()
    expect(page.get_by_label("Approve transfer")).to_have_count(0)

    sign_in(other, "austria@portal.example")
    other.get_by_role("link", name="Decide").click()
    other.get_by_label("Approve transfer").check()
    other.get_by_role("button", name="Apply decision").dblclick()
    expect(other.get_by_text("): approved").first).to_be_visible()
    other.go_back()
    other.goto("/players/1300001/")
    expect(other.get_by_role("main").get_by_role("link", name="AUT", exact=True)).to_be_visible()
    page.get_by_role("button", name="Cancel request").click()
    expect(page.get_by_text("has already decided this request: approved").first).to_be_visible()

    assert [*Transfer.objects.values_list("state", "player__federation")] == [("approved", "AUT")]


def test_enter_acts_as_its_field_says_and_an_error_has_the_focus(page: Page, federation: None) -> None:
    austria, player = make.federation(code="AUT"), Player.objects.get(pk=1_300_001)
    Transfer.objects.create(
        player=player, from_federation=player.federation, to_federation=austria, federation=austria,
        asked_by=make.user(), asked_at=timezone.now(),
    )  # fmt: skip
    sign_in(page, OFFICER, "/desk/players/transfers/")
    page.get_by_label("FIDE ID of the player").fill("999")
    page.get_by_label("New federation").select_option("AUT")
    page.get_by_label("FIDE ID of the player").press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()

    page.goto("/desk/")
    page.get_by_role("link", name="Decide").click()
    page.get_by_label("Refuse").check()
    page.get_by_role("button", name="Apply decision").click()
    expect(page.get_by_role("alert")).to_be_focused()
    page.get_by_role("textbox", name="Reason").fill("Not agreed with the club.")
    page.get_by_role("button", name="Apply decision").click()
    expect(page.get_by_text("): refused").first).to_be_visible()

    assert [*Transfer.objects.values_list("state", "answer")] == [("refused", "Not agreed with the club.")]


def test_the_back_button_and_a_second_sending_make_one_tournament(
    page: Page, federation: None, clock: object
) -> None:
    sign_in(page, OFFICER, NEW)
    fill_registration(page)
    register(page)
    first = page.url
    page.go_back()
    page.get_by_role("button", name="Register tournament", exact=True).click()
    # Two events may have one name and the same days: nobody but the officer knows (D-135).
    page.locator("#registration-errors").get_by_role("link", name="Open", exact=True).click()
    expect(page).to_have_url(first)

    assert (Tournament.objects.count(), steps().count()) == (1, 1)


def test_two_officers_at_once_on_one_registration(
    page: Page, other: Page, federation: None, clock: object
) -> None:
    account("deputy@portal.example", "deputy", "SUI")
    sign_in(page, OFFICER, NEW)
    sign_in(other, "deputy@portal.example", NEW)
    for one in (page, other):
        fill_registration(one)
    for one in (page, other):
        one.get_by_role("button", name="Register tournament", exact=True).click(no_wait_after=True)
    heads = page.get_by_role("heading", level=1, name="Spring Rapid")
    told = other.locator("#id_is_another")
    expect(heads.or_(page.locator("#id_is_another")).first).to_be_visible()
    expect(told.or_(other.get_by_role("heading", level=1, name="Spring Rapid")).first).to_be_visible()

    assert (Tournament.objects.count(), steps().count()) == (1, 1)


def sign_out_in_another_tab(page: Page) -> Page:
    tab = page.context.new_page()
    tab.goto("/desk/")
    tab.get_by_text(OFFICER).first.click()
    tab.get_by_role("button", name="Sign out").click()
    expect(tab.get_by_role("link", name="Sign in")).to_be_visible()
    return tab


def sign_in_another_account(page: Page) -> None:
    """Sign in at the page, which gives the browser new cookies, where the first account's form is still open."""
    tab = sign_out_in_another_tab(page)
    tab.goto("/accounts/login/")
    tab.locator("input[name=login]").fill(STAFF)
    tab.locator("input[name=password]").fill(PASSWORD)
    follow(tab.get_by_role("button", name="Sign in", exact=True))


def test_a_session_that_ends_under_the_form_loses_nothing(
    page: Page, federation: None, clock: object
) -> None:
    sign_in(page, OFFICER, NEW)
    fill_registration(page, name="Flooded Hall Rapid")
    sign_out_in_another_tab(page).close()

    page.get_by_role("button", name="Register tournament", exact=True).click()
    expect(page.get_by_text("What you entered is saved").first).to_be_visible()
    page.locator("input[name=login]").fill(OFFICER)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Your session had ended, so nothing was sent.").first).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Flooded Hall Rapid")
    expect(page.get_by_label("First day")).to_have_value("2026-03-21")
    expect(page.get_by_label("rapid", exact=True)).to_be_checked()
    assert Tournament.objects.count() == 0

    register(page)
    assert [*Tournament.objects.values_list("name", flat=True)] == ["Flooded Hall Rapid"]


def sign_in_as_first(page: Page) -> None:
    """Take the offer of a refused form, and sign in with the account that opened it."""
    page.get_by_role("button", name="Sign in with the first account").dblclick()
    expect(page.get_by_text("What you entered is saved").first).to_be_visible()
    page.locator("input[name=login]").fill(OFFICER)
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Your session had ended, so nothing was sent.").first).to_be_visible()


def test_a_registration_outlives_the_sign_in_of_another_account(
    page: Page, federation: None, clock: object
) -> None:
    sign_in(page, OFFICER, NEW)
    fill_registration(page, name="Flooded Hall Rapid")
    sign_in_another_account(page)

    page.get_by_role("button", name="Register tournament", exact=True).click()
    expect(page.get_by_role("heading", name="The form could not be sent")).to_be_visible()
    typed = page.locator("main dl")
    for value in ("Flooded Hall Rapid", "15+10", "2026-03-21", "Arbiter, Anna"):
        expect(typed.get_by_text(value).first).to_be_visible()
    assert axe_violations(page) == []
    assert Tournament.objects.count() == 0

    sign_in_as_first(page)
    expect(page.get_by_label("Round 2: date")).to_have_value("2026-03-22")
    register(page)
    made = Tournament.objects.values_list("name", "registered_by__email")
    assert [*made] == [("Flooded Hall Rapid", OFFICER)]
