"""Accounts in a real browser: a forgotten password, an app with codes, a passkey; every page under axe."""

from __future__ import annotations

import re
import time
from urllib.parse import parse_qsl

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from players import notices
from players.models import Notice
from tests import make
from tests.e2e.browser import SCHEMES, axe_violations, context_to_examine, follow
from tests.one_time_codes import code_at

EMAIL, PASSWORD, NEW = "officer@portal.example", "a long enough word", "another long enough word"
KEY = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(autouse=True)
def _officer(transactional_db: None, live_server: LiveServer, settings: Settings) -> None:
    settings.SITE_URL = live_server.url
    user = make.user(email=EMAIL)
    user.set_password(PASSWORD)
    user.save()
    make.appointment(user=user, role="officer", federation=make.federation(code="SUI"))


def mailed_link() -> str:
    """Send what is due, as a worker would, and return the link of the last mail."""
    for number in Notice.objects.filter(state="due").order_by("pk").values_list("pk", flat=True):
        notices.send(number, at=timezone.now())
    found = re.search(r"http://localhost\S+", str(mail.outbox[-1].body))
    assert found is not None
    return found[0]


def sign_in(page: Page, password: str = PASSWORD, *, to: str = "/desk/") -> None:
    page.goto(f"/accounts/login/?next={to}")
    page.locator("input[name=login]").fill(EMAIL)
    page.locator("input[name=password]").fill(password)
    follow(page.get_by_role("button", name="Sign in", exact=True))


def say_the_password_again(page: Page) -> None:
    expect(page.get_by_role("heading", name="Confirm your identity")).to_be_visible()
    page.locator("input[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()


def set_up_the_app(page: Page) -> str:
    """Switch the authenticator app on and return its secret."""
    page.goto("/accounts/2fa/totp/activate/")
    secret = page.get_by_label("Secret as text").input_value()
    page.get_by_label("Authenticator code").fill(code_at(secret, time.time()))
    page.get_by_role("button", name="Turn on two-factor authentication").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    return secret


def add_a_passkey(page: Page, name: str) -> None:
    page.goto("/accounts/2fa/webauthn/add/")
    if page.locator("input[name=password]").count():
        say_the_password_again(page)
    page.locator("input[name=name]").fill(name)
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add key").click()


def plug_in_a_key(page: Page) -> None:
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})


@pytest.fixture
def page(own_page: Page) -> Page:
    """Return a page of a profile of its own: keys stay in it, and the portal knows devices by what it stores."""
    return own_page


@pytest.fixture
def key(page: Page) -> None:
    """Let the browser have a key that answers for its owner."""
    plug_in_a_key(page)


def test_forgotten_password(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("link", name="Forgot your password?").click()
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_role("button", name="Email me a reset link").dblclick()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    link = mailed_link()
    assert (len(mail.outbox), Notice.objects.get().text) == (1, "")
    page.goto(link)
    page.get_by_label("New password", exact=True).fill("short")
    page.get_by_label("New password (again)").fill("short")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("This password is too short.").first).to_be_visible()
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("New password (again)").fill(NEW)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("heading", name="Your password was changed")).to_be_visible()

    page.goto(link)
    expect(page.get_by_role("heading", name="This link is no longer valid")).to_be_visible()
    sign_in(page, PASSWORD)
    expect(page.get_by_text("No account has this email address and password.").first).to_be_visible()
    sign_in(page, NEW)
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()


def test_app_with_codes(page: Page) -> None:
    sign_in(page)
    secret = set_up_the_app(page)
    codes = page.locator("pre.code").inner_text().split()
    page.context.clear_cookies()

    sign_in(page)
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("The code is wrong or has expired.").first).to_be_visible()
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()

    assert len(codes) == 10
    row = Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)
    assert len(row.wrap().get_unused_codes()) == 9
    page.context.clear_cookies()
    sign_in(page)
    page.get_by_label("Code").fill(codes[0])
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("The code is wrong or has expired.").first).to_be_visible()
    assert len(secret) == 32


def test_passkey(page: Page, key: None) -> None:
    sign_in(page)
    add_a_passkey(page, "My laptop")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    page.get_by_role("link", name="Rename").click()
    page.locator("input[name=name]").fill("Old laptop")
    page.get_by_role("button", name="Save name").click()
    expect(page.get_by_role("rowheader", name="Old laptop")).to_be_visible()
    page.get_by_text(EMAIL).first.click()
    page.get_by_role("button", name="Sign out").click()

    page.goto("/accounts/login/?next=/desk/people/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="People")).to_be_visible()

    page.goto("/accounts/2fa/webauthn/")
    page.get_by_role("link", name="Remove").click()
    if page.get_by_role("heading", name="Confirm your identity").count():
        say_the_password_again(page)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No keys set up").first).to_be_visible()
    assert not Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()


def test_an_answer_of_a_passkey_leads_in_once_and_for_its_own_challenge(page: Page, key: None) -> None:
    """What was sent to sign in, sent again by whoever has seen it, leads nobody in."""
    sign_in(page)
    add_a_passkey(page, "My laptop")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.context.clear_cookies()
    page.goto("/accounts/login/")
    with page.expect_request(lambda request: "credential" in (request.post_data or "")) as signing_in:
        page.get_by_role("button", name="Sign in with a passkey").click()
    request = signing_in.value
    page.wait_for_url("**/desk/**")
    sent = dict(parse_qsl(request.post_data or ""))

    def send_again(*, has_challenge: bool) -> bool:
        """Send it from a session of its own, with a new challenge or none, and return whether that is in."""
        page.context.clear_cookies()
        page.goto("/accounts/login/")
        if has_challenge:
            page.request.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
        token = page.locator("input[name=csrfmiddlewaretoken]").first.get_attribute("value") or ""
        answer = page.request.post(request.url, form={**sent, "csrfmiddlewaretoken": token}, max_redirects=0)
        assert answer.status in (200, 302, 400, 403)
        return page.request.get("/desk/", max_redirects=0).status == 200

    assert [send_again(has_challenge=known) for known in (False, True)] == [False, False]


def test_a_key_that_was_not_used_is_told_beside_its_button(page: Page, key: None) -> None:
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey or security key was used.")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_count(1)
    assert violations(page) == []
    sign_in(page)
    add_a_passkey(page, "My laptop")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    add_a_passkey(page, "My laptop again")
    expect(page.get_by_role("alert")).to_contain_text("This key is already set up.")


def test_a_key_that_the_address_does_not_allow_is_told_too(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url.replace("localhost", "127.0.0.1") + "/accounts/login/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("Passkeys and security keys cannot be used here.")


def test_no_key_is_offered_without_javascript(browser: Browser, live_server: LiveServer) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{live_server.url}/accounts/login/")
        expect(page.locator("noscript strong")).to_be_visible()
        expect(page.get_by_role("button", name="Sign in")).to_have_count(1)


def violations(page: Page) -> list[tuple[str, str, str]]:
    """Return page, rule and first place of what axe finds on the page as it is, in the other colours than before."""
    is_dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme=SCHEMES[not is_dark])
    found = axe_violations(page, in_colours=True)
    return [(page.url, violation["id"], violation["nodes"][0]["html"]) for violation in found]


def at(page: Page, path: str) -> list[tuple[str, str, str]]:
    page.goto(path)
    return violations(page)


def test_every_page_of_the_account_is_accessible(browser: Browser, live_server: LiveServer) -> None:
    context = context_to_examine(browser, live_server.url)
    page = context.new_page()
    found = []
    for path in ("login/", "signup/", "inactive/", "password/reset/", "password/reset/done/"):
        found += at(page, f"/accounts/{path}")
    page.goto("/accounts/password/reset/")
    page.get_by_label("Email").fill(EMAIL)
    page.get_by_role("button", name="Email me a reset link").click()
    link = mailed_link()
    found += at(page, link)
    found += at(page, link.replace("-", "-x"))
    found += at(page, "/accounts/password/reset/key/done/")
    found += at(page, "/accounts/confirm-email/wrong/")
    sign_in(page)
    for path in (
        "password/change/",
        "email/",
        "sessions",
        "notifications",
        "logout/",
        "2fa/",
        "2fa/webauthn/",
    ):
        found += at(page, f"/accounts/{path}")
    found += at(page, "/accounts/reauthenticate/")
    set_up_the_app(page)
    found += violations(page)
    for path in ("", "totp/deactivate/", "recovery-codes/generate/", "webauthn/add/", "reauthenticate/"):
        found += at(page, f"/accounts/2fa/{path}")
    page.goto("/accounts/email/")
    page.locator("input[type=email]").fill("other@portal.example")
    page.get_by_role("button", name="Send confirmation email").click()
    expect(page.get_by_role("heading", name="Waiting for confirmation")).to_be_visible()
    found += violations(page)
    found += at(page, mailed_link())
    page.goto("/accounts/email/")
    follow(page.get_by_role("button", name="Keep current email address"))
    plug_in_a_key(page)
    add_a_passkey(page, "A key with a rather long name, kept in the drawer")
    expect(page.get_by_text("1 key is set up.").first).to_be_visible()
    found += at(page, "/accounts/2fa/webauthn/")
    for link in ("Rename", "Remove"):
        page.goto("/accounts/2fa/webauthn/")
        follow(page.get_by_role("link", name=link))
        found += violations(page)
    context.clear_cookies()
    sign_in(page)
    expect(page.get_by_role("heading", name="Two-factor authentication")).to_be_visible()

    assert found + violations(page) == []
    context.close()
