"""A real browser, driven against the portal that the test runs in this process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browser import (
    FIREFOX_DRIVER,
    find_chromium,
    find_firefox,
    is_firefox,
    start_browser,
)

# A busy machine answers late; what never comes fails all the same.
PATIENCE = 15_000
HERE = Path(__file__).parent
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what drives the browser, so that `-m 'not browser'` leaves it out.

    Other folders have fixtures of this name too, which are clients of one process.
    """
    for item in items:
        if item.path.is_relative_to(HERE) and "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser(django_db_setup: None) -> Iterator[Browser]:
    """Return a running Chromium, or Firefox; without it the test is skipped.

    It ends before the database does: connections that it keeps open keep sessions of the database.
    """
    path, name = (find_firefox(), "Firefox") if is_firefox() else (find_chromium(), "Chromium")
    if path is None:
        pytest.skip(f"there is no {name}")
    with pytest.MonkeyPatch.context() as environment:
        # Playwright's event loop runs in this thread, where Django then refuses plain database calls.
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        if is_firefox():
            environment.setenv("NODE_OPTIONS", f"--require={FIREFOX_DRIVER}")
        with sync_playwright() as playwright:
            running = start_browser(playwright, path)
            yield running
            running.close()


@pytest.fixture
def context(
    browser: Browser, live_server: LiveServer, django_db_serialized_rollback: None
) -> Iterator[BrowserContext]:
    """Return a fresh browser profile that knows the portal as its base address.

    What the migrations have filled in stands again before each test.
    """
    fresh = browser.new_context(base_url=live_server.url, locale="en-GB", timezone_id="UTC")
    fresh.set_default_timeout(PATIENCE)
    yield fresh
    fresh.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Return a page; an error in its scripts or something blocked by the security policy fails the test."""
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on(
        "console",
        lambda message: (
            complaints.append(message.text) if "Content Security Policy" in message.text else None
        ),
    )
    yield opened
    assert complaints == []
