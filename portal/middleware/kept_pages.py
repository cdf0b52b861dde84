"""Public pages, kept for a minute for readers without an account (ADR 19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import parse_http_date_safe

from core.web.compression import TEXT, accepted_encoding, as_variant, encoded_bodies, encoded_response
from core.web.etags import KEPT_STATUSES, edition, hash_of, is_anonymous
from ratings.lists import pages_number

MAX_ADDRESS, MAX_BYTES = 500, 512 * 1024
# How long proxies and browsers may show a public page without asking, in place of asking each time.
ASKING, FOR_PROXIES = "public, no-cache", "public, max-age=30"
# They are of one caller; what is kept is sent to all.
RATE_HEADERS = {"ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "ratelimit-policy"}
# Never public; and whether a process lives is answered without a database.
NEVER_KEPT = ("/health/", "/metrics", "/accounts/", "/desk/", "/admin/")
# Requests with one of these are answered by the view.
SPECIAL_HEADERS = ("Authorization", "HX-Request", "Range", "If-Match", "If-Unmodified-Since")


def kept_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer readers without an account with the page that is kept for their address, and keep the others' pages."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not settings.KEPT_PAGES_SECONDS or not _is_any_reader(request):
            return get_response(request)
        # By scheme and host as well: addresses on a page have those of the request. The language is in the address.
        place = (request.scheme, request.META.get("HTTP_HOST"), request.get_full_path())
        # Read before the page: what is published meanwhile is never kept under the number before it for those after.
        key = f"page:{hash_of(pages_number(), edition(), place)}"
        kept = caches["pages"].get(key)
        if kept is not None:
            return _answer(request, kept)
        response = get_response(request)
        if _is_everybodys(response):
            for name in RATE_HEADERS:
                del response.headers[name]
            if response.headers["Cache-Control"] == ASKING:
                response.headers["Cache-Control"] = FOR_PROXIES
            # The answer to HEAD has no content that could be kept.
            if request.method == "GET" and _is_short_text(response):
                caches["pages"].set(key, _as_kept(request, response), settings.KEPT_PAGES_SECONDS)
        return response

    return middleware


def _is_any_reader(request: HttpRequest) -> bool:
    """Return whether a request identifies no user, asks for a whole page, and has no overlong address."""
    is_plain = request.method in ("GET", "HEAD") and len(request.get_full_path()) <= MAX_ADDRESS
    is_plain &= not request.path_info.startswith(NEVER_KEPT)
    return is_plain and is_anonymous(request) and not any(name in request.headers for name in SPECIAL_HEADERS)


def _is_everybodys(response: HttpResponse) -> bool:
    """Return whether a response is the same for every reader: public, and without cookies."""
    is_public = response.headers.get("Cache-Control", "").startswith("public")
    # Cookie stands for session and messages here, and a request with either does not come this far.
    is_public &= response.headers.get("Vary", "Cookie") == "Cookie"
    return is_public and response.status_code in (*KEPT_STATUSES, 304) and not response.cookies


def _is_short_text(response: HttpResponse) -> bool:
    if response.status_code in (302, 304) or response.streaming or "Content-Disposition" in response.headers:
        return False
    return bool(TEXT.match(response.headers["Content-Type"])) and len(response.content) <= MAX_BYTES


def _as_kept(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    route = request.resolver_match.view_name if request.resolver_match else ""
    bodies = encoded_bodies(response.content)
    return {
        "status": response.status_code,
        "headers": dict(response.items()),
        "bodies": bodies,
        "route": route,
    }


def _answer(request: HttpRequest, kept: Mapping[str, Any]) -> HttpResponse:
    """Return the kept page, or 304 if the client has it."""
    request.kept_route = kept["route"]  # type: ignore[attr-defined]
    headers, encoding = kept["headers"], accepted_encoding(request)
    known: Any = None
    # A condition counts only where the answer would be a success (RFC 9110, 13.2.1).
    if kept["status"] == 200:
        changed = parse_http_date_safe(headers.get("Last-Modified", ""))
        known = get_conditional_response(request, etag=headers.get("ETag"), last_modified=changed)
    response: HttpResponse = known or encoded_response(kept["bodies"], encoding, status=kept["status"])
    for name, value in headers.items():
        if name != "Content-Length":
            response.headers[name] = value
    return as_variant(response, encoding)
