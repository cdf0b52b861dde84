"""The exact security headers of pages of each kind."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from portal.middleware.long_addresses import MAX_PATH
from tests import make

POLICY = [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self'",
    "manifest-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
]
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
        "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# What may differ from page to page and says nothing to whoever attacks.
ABOUT_THE_PAGE = (
    "Content-Type",
    "Content-Length",
    "Content-Language",
    "Content-Disposition",
    "Content-Encoding",
    "Cache-Control",
    "Expires",
    "ETag",
    "Last-Modified",
    "Vary",
    "Allow",
    "Location",
    "Link",
    "Accept-Ranges",
    "X-Request-ID",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "RateLimit-Policy",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
)
PAGES = [
    ("public", "/", 200),
    ("public in another language", "/fr/", 200),
    ("list", "/lists/", 200),
    ("sign-in", "/accounts/login/", 200),
    ("API", "/api/v1/lists", 200),
    ("API, not there", "/api/v1/lists/rapid/1999-01", 404),
    ("API, bad parameter", "/api/v1/players?limit=x", 400),
    ("health", "/health/live", 200),
    ("static", "/static/vendor/htmx/htmx-2.0.11.min.js", 200),
    ("not there", "/nothing/here", 404),
    ("closed", "/desk/", 302),
]


def security_headers(answer: Any) -> dict[str, str]:
    answer.close()
    found = {name: value for name, value in answer.items() if name not in ABOUT_THE_PAGE}
    # The order of the directives has no meaning.
    found["Content-Security-Policy"] = sorted(found["Content-Security-Policy"].split("; "))
    return found


@pytest.fixture
def _finders(settings: Any) -> None:
    # The suite leaves the search for static files out; here they are served as in service.
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.mark.parametrize(("page", "address", "status"), PAGES, ids=[row[0] for row in PAGES])
@pytest.mark.usefixtures("db", "_finders")
def test_pages_of_each_kind_carry_the_same_headers(page: str, address: str, status: int) -> None:
    answer = Client().get(address)

    assert (answer.status_code, security_headers(answer)) == (status, HEADERS)


@pytest.mark.parametrize(
    ("role", "address", "status"),
    [("officer", "/desk/", 200), ("staff", "/admin/", 200), ("arbiter", "/desk/people/", 403)],
)
def test_pages_behind_the_sign_in_carry_them_too(db: None, role: str, address: str, status: int) -> None:
    answer = make.browser(role).get(address)

    assert (answer.status_code, security_headers(answer)) == (status, HEADERS)


def test_wrong_host_and_failed_page_carry_them_too(db: None) -> None:
    wrong_host = Client().get("/", headers={"host": "attacker.example"})
    forged = Client(enforce_csrf_checks=True).post("/accounts/login/")

    assert (wrong_host.status_code, security_headers(wrong_host)) == (400, HEADERS)
    assert (forged.status_code, security_headers(forged)) == (403, HEADERS)


def test_no_page_has_a_policy_of_its_own() -> None:
    sources = [
        path
        for folder in ("portal", "players", "tournaments", "ratings", "arenas")
        for path in (settings.BASE_DIR / folder).rglob("*.py")
        if any(word in path.read_text() for word in ("csp_exempt", "csp_update", "csp_replace"))
    ]

    assert sources == []


def test_cookies_are_closed_to_scripts_and_to_other_sites(db: None) -> None:
    browser = Client()
    browser.get("/accounts/login/")
    cookie = browser.cookies["csrftoken"]

    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert (settings.SESSION_COOKIE_HTTPONLY, settings.SESSION_COOKIE_SAMESITE) == (True, "Lax")


@pytest.mark.parametrize("start", ["/", "/static/", "/de/players/", "/api/v1/"])
def test_a_path_of_more_than_2_kb_is_refused(db: None, client: Client, start: str) -> None:
    longest = start.ljust(MAX_PATH, "x")

    assert [client.get(path).status_code for path in (longest, f"{longest}x")] == [404, 414]
    assert client.get(f"{longest}x").headers["X-Request-ID"]


@pytest.mark.parametrize("page", ["/", "/lists/", "/accounts/login/", "/desk/", "/api/v1/lists"])
def test_more_than_1000_parameters_are_refused(db: None, client: Client, page: str) -> None:
    sent = [f"{page}?{'&'.join(['a=1'] * number)}" for number in (1000, 1001)]

    statuses = [client.get(address).status_code for address in sent]

    assert (statuses[0] < 500, statuses[1], client.post(sent[1]).status_code) == (True, 414, 414)


def test_a_long_path_of_the_api_is_a_problem(db: None, client: Client) -> None:
    answer = client.get("/api/v1/".ljust(MAX_PATH + 1, "x"))

    assert (answer.headers["Content-Type"], answer.json()["status"]) == ("application/problem+json", 414)


def test_pages_in_another_language_are_private_too(db: None) -> None:
    staff = make.browser("staff")

    answers = [staff.get(page).headers["Cache-Control"] for page in ("/fr/desk/", "/fr/accounts/sessions/")]

    assert all("private" in said and "no-store" in said for said in answers)
