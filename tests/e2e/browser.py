"""The browsers of the tests, and axe-core, which looks for barriers on a page."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, Literal

from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright

# axe-core 4.12.1 as its authors publish it (MPL-2.0, the licence is beside it).
AXE = Path(__file__).parent / "axe" / "axe.min.js"
# The shell draws no windows around the pages, which takes a third of a browser's time; Debian's wrapper adds to it.
CHROMIUM_NAMES = (
    "chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FIREFOX_NAMES = ("firefox-esr", "firefox")
# What Firefox needs of Playwright's driver; see there.
FIREFOX_DRIVER = Path(__file__).parent / "firefox.js"
# A browser under test speaks to the portal alone.
CHROMIUM_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--disable-quic",
    "--disable-domain-reliability",
)


def find_chromium() -> str | None:
    """Return the path of the system's Chromium (or the one that CHROMIUM names), None without any."""
    return _found("CHROMIUM", CHROMIUM_NAMES)


def find_firefox() -> str | None:
    """Return the path of the system's Firefox (or the one that FIREFOX names), None without any."""
    return _found("FIREFOX", FIREFOX_NAMES)


def _found(variable: str, names: tuple[str, ...]) -> str | None:
    named = os.environ.get(variable)
    candidates = (named,) if named else names
    return next((path for path in map(shutil.which, candidates) if path), None)


def is_firefox() -> bool:
    """Whether the tests drive Firefox in place of Chromium (BROWSER=firefox)."""
    return os.environ.get("BROWSER") == "firefox"


def start_browser(playwright: Playwright, path: str) -> Browser:
    """Return the browser at a path, running: Firefox by its own protocol, as it is installed."""
    if is_firefox():
        return playwright.firefox.launch(channel="moz-firefox", executable_path=path)
    return playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_ARGUMENTS))


def follow(control: Locator) -> None:
    """Click a link or a button that sends a form, and wait until the page it leads to is there.

    A click alone returns while the old page may still stand, or none: what is looked at next is chance.
    """
    with control.page.expect_navigation():
        control.click()


def sign_in(page: Page, email: str, to: str = "/desk/") -> None:
    """Let a person be signed in and open a page; the pages of signing in have journeys of their own."""
    client = Client()
    client.force_login(get_user_model().objects.get(email=email))
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies(
        [{"name": cookie.key, "value": cookie.value, "domain": "localhost", "path": "/"}]
    )
    page.goto(to)


# All pages take their colours from one kit: each is looked at in one of the schemes, and the next in the other.
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def context_to_examine(browser: Browser, base_url: str) -> BrowserContext:
    """Return a context for `axe_violations` and `scrolls_when_spaced`, whose styles and scripts the policy refuses."""
    context = browser.new_context(
        base_url=base_url, locale="en-GB", timezone_id="UTC", bypass_csp=True, reduced_motion="reduce"
    )
    context.add_init_script(path=AXE)
    return context


def axe_violations(page: Page, *, in_colours: bool = False, **options: Any) -> list[dict[str, Any]]:
    """Return the violations that axe-core finds on the page as it is; `options` are those of `axe.run`.

    Contrasts take most of its time: the walks over all pages look at them, journeys do not once more.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    # Places of violations alone: to name those of all that passed takes a third of the time.
    # Without preloading: axe would write stylesheets into the page, which the security policy refuses.
    wanted = {
        "resultTypes": ["violations"],
        "preload": False,
        "rules": {"color-contrast": {"enabled": in_colours}},
        **options,
    }
    violations: list[dict[str, Any]] = page.evaluate(
        "async options => (await axe.run(options)).violations", wanted
    )
    return violations
