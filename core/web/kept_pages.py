"""Rendered public pages are kept until the database changes (ADR 19): the next reader is answered before any view.

A page is kept by its edition (`core.page_edition`), the edition of the code, the day, host and address; it is kept
compressed (`core.web.compression`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

from core.page_edition import editions_of
from core.web.compression import accepted_encoding, as_variant, encoded_bodies, encoded_response
from core.web.conditional import edition, is_anonymous

MAX_ADDRESS, MAX_BYTES = 500, 512 * 1024
KEPT_HEADERS = ("Content-Type", "Content-Language", "Cache-Control", "ETag", "Last-Modified", "Vary")


def kept_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer anonymous readers with the page that is kept for their address; keep the page where there is none."""

    def middleware(request: HttpRequest) -> HttpResponse:
        key = _key(request)
        if key is None:
            return get_response(request)
        kept = caches["pages"].get(key)
        if kept is not None:
            return _answer(request, kept)
        response = get_response(request)
        if request.method == "GET" and _is_everybodys(response):
            if _is_short_text(response):
                caches["pages"].set(key, _as_kept(request, response), settings.KEPT_PAGES_SECONDS)
            _allow_proxy(response)
        return response

    return middleware


def _key(request: HttpRequest) -> str | None:
    """Return the key of the page that answers a request; None where the answer may be somebody's own."""
    address = request.get_full_path()
    if not settings.KEPT_PAGES_SECONDS or len(address) > MAX_ADDRESS or not _is_any_reader(request):
        return None
    editions = editions_of(request.path)
    if editions is None:
        return None
    host = request.META.get("HTTP_HOST")
    asked = (editions, edition(), datetime.now(UTC).date(), request.scheme, host, address)
    return f"page:{hashlib.sha256(repr(asked).encode()).hexdigest()}"


def _is_any_reader(request: HttpRequest) -> bool:
    """Return whether nothing in a request says who asks, or asks for a part of a page."""
    special = any(name in request.headers for name in ("Authorization", "HX-Request", "Range"))
    return request.method in ("GET", "HEAD") and is_anonymous(request) and not special


def _is_everybodys(response: HttpResponse) -> bool:
    """Return whether a response is the same for every reader: public, and without cookies."""
    headers = response.headers
    public = headers.get("Cache-Control", "").startswith("public") and headers.get("Vary") == "Cookie"
    return public and response.status_code == 200 and not response.cookies


def _is_short_text(response: HttpResponse) -> bool:
    if response.streaming or "Content-Disposition" in response.headers:
        return False
    return response.headers["Content-Type"].endswith("charset=utf-8") and len(response.content) <= MAX_BYTES


def _as_kept(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    route = request.resolver_match.view_name if request.resolver_match else ""
    return {"headers": headers, "bodies": encoded_bodies(response.content), "route": route}


def _answer(request: HttpRequest, kept: Mapping[str, Any]) -> HttpResponse:
    """Return the kept page, or 304 to whoever has it."""
    request.kept_route = kept["route"]  # type: ignore[attr-defined]
    known: Any = get_conditional_response(request, etag=kept["headers"].get("ETag"))
    encoding = accepted_encoding(request)
    response: HttpResponse = encoded_response(kept["bodies"], encoding) if known is None else known
    if response.status_code in (200, 304):
        for name, value in kept["headers"].items():
            response.headers[name] = value
        as_variant(response, encoding)
        _allow_proxy(response)
    return response


def _allow_proxy(response: HttpResponse) -> None:
    """Let the proxy of this installation keep the page for a second; everybody else still asks each time."""
    response.headers["X-Accel-Expires"] = "1"
