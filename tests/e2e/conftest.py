"""A real browser, driven against the portal that the test runs in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.views import serve
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from portal.static_storage import IMPORT, STYLESHEET
from tests.e2e.browser import FIREFOX_DRIVER, find_chromium, find_firefox, is_firefox, start_browser

# A busy machine answers late; what never comes fails all the same.
PATIENCE = 15_000
SIZE = ViewportSize(width=1280, height=720)
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
        environment.setattr("django.contrib.staticfiles.handlers.serve", served)
        # Playwright's event loop runs in this thread, where Django then refuses plain database calls.
        environment.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        if is_firefox():
            environment.setenv("NODE_OPTIONS", f"--require={FIREFOX_DRIVER}")
        with sync_playwright() as playwright:
            running = start_browser(playwright, path)
            yield running
            running.close()


def served(request: HttpRequest, path: str, **options: Any) -> HttpResponseBase:
    """Return a static file as it is where files are collected: the stylesheet in one piece, and browsers keep it."""
    answer: HttpResponseBase
    if path == STYLESHEET:
        sheets = Path(settings.BASE_DIR) / "static" / "css"
        whole = IMPORT.sub(lambda part: (sheets / part[1]).read_text(), (sheets / "portal.css").read_text())
        answer = HttpResponse(whole, content_type="text/css")
    else:
        answer = serve(request, path, **options)
    answer["Cache-Control"] = "max-age=600"
    return answer


@pytest.fixture
def context(
    browser: Browser, live_server: LiveServer, django_db_serialized_rollback: None
) -> Iterator[BrowserContext]:
    """Return a fresh browser profile that knows the portal as its base address.

    What the migrations have filled in stands again before each test.
    """
    fresh = new_context(browser, live_server)
    yield fresh
    fresh.close()


@pytest.fixture
def own_page(context: BrowserContext) -> Iterator[Page]:
    """Return a page of a profile that no other test has: for keys, scripts of a test and what a browser stores."""
    opened = context.new_page()
    with without_complaints(opened):
        yield opened


@pytest.fixture(scope="session")
def tab(browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    """Return the page of most tests: a profile and a page of its own take half a second of each."""
    context = new_context(browser, live_server)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(tab: Page, django_db_serialized_rollback: None) -> Iterator[Page]:
    """Return a page of somebody who has never been at the portal.

    What the migrations have filled in stands again before each test.
    """
    with without_complaints(tab):
        yield tab
    forget(tab)


def new_context(browser: Browser, live_server: LiveServer, **options: Any) -> BrowserContext:
    """Return an empty browser profile that knows the portal as its base address.

    Without motion: a colour on its way to another has a contrast that no reader sees.
    """
    context = browser.new_context(
        base_url=live_server.url, locale="en-GB", timezone_id="UTC", reduced_motion="reduce", **options
    )
    context.set_default_timeout(PATIENCE)
    return context


@contextmanager
def without_complaints(page: Page) -> Iterator[None]:
    """Fail for an error in the page's scripts, and for something that the security policy blocked."""
    complaints: list[str] = []

    def hear_error(error: Error) -> None:
        complaints.append(str(error))

    def hear_message(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            complaints.append(message.text)

    page.on("pageerror", hear_error)
    page.on("console", hear_message)
    try:
        yield
    finally:
        page.remove_listener("pageerror", hear_error)
        page.remove_listener("console", hear_message)
    assert complaints == []


def forget(page: Page) -> None:
    """Leave the portal, and let the profile of a page be as it was when it was made."""
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")
    for other in page.context.pages:
        if other != page:
            other.close()
    page.context.clear_cookies()
    page.context.clear_permissions()
    page.emulate_media(media="null", color_scheme="null", reduced_motion="reduce")
    page.set_viewport_size(SIZE)
    if not is_firefox():
        # Public pages may be kept for a minute.
        session = page.context.new_cdp_session(page)
        session.send("Network.clearBrowserCache")
        session.detach()
