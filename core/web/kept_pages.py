"""Rendered public pages, kept until the database changes (kept-pages.md).

The next reader is answered before any view: by the edition of the database (`core.editions`) and of the code, the day,
host and address, and compressed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import get_conditional_response
from django.utils.http import parse_http_date_safe

from core.editions import editions_of
from core.web.compression import TEXT, accepted_encoding, as_variant, encoded_bodies, encoded_response
from core.web.etags import KEPT_STATUSES, edition, hash_of, is_anonymous

MAX_ADDRESS, MAX_BYTES = 500, 512 * 1024
# The proxy sends the edition by which it keeps a page, and asks for the present one this often; since nginx counts in
# whole seconds, it may take one more.
EDITION_HEADER, PROXY_SECONDS = "X-Page-Edition", 1
KEPT_HEADERS = (
    "Content-Type",
    "Content-Language",
    "Cache-Control",
    "ETag",
    "Last-Modified",
    "Vary",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Cross-Origin-Resource-Policy",
    "Allow",
    "Link",
)
# Requests with one of these are answered by the view.
SPECIAL_HEADERS = ("Authorization", "HX-Request", "Range", "If-Match", "If-Unmodified-Since")
RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy")
MAX_AGE = re.compile(r"max-age=(\d+)")
# The API refuses parameters that it does not know.
CHECKED = "/api/"


class KeptParameters(QueryDict):
    """The parameters of an address, which know by which names they were read.

    A page is not kept for a name that nothing on it asked for: any reader can invent as many as the cache has room.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._read: set[str] = set()
        super().__init__(*args, **options)

    def __getitem__(self, name: str) -> Any:
        self._read.add(name)
        return super().__getitem__(name)

    def getlist(self, name: str, default: Any = None) -> Any:
        self._read.add(name)
        return super().getlist(name, default)

    def items(self) -> Iterator[tuple[str, Any]]:  # type: ignore[override]
        """Yield each name with its last value; reading all asks for none."""
        yield from ((name, values[-1] if values else []) for name, values in self.lists())

    def values(self) -> Iterator[Any]:  # type: ignore[override]
        """Yield the last value of each name."""
        yield from (value for _, value in self.items())

    def unread(self) -> set[str]:
        """Return the names that nobody asked for."""
        return set(self) - self._read


def kept_pages(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer anonymous readers with the page that is kept for their address; keep the page where there is none."""

    def middleware(request: HttpRequest) -> HttpResponse:
        pages = edition_of_pages(request.path) if _may_keep(request) else None
        if pages is None:
            return get_response(request)
        key = _key(request, pages)
        kept = caches["pages"].get(key)
        if kept is not None:
            return _answer(request, kept, pages)
        parameters = KeptParameters(request.META.get("QUERY_STRING", ""), encoding=request.encoding)
        request.GET = parameters  # type: ignore[assignment]
        response = get_response(request)
        is_known = request.path.startswith(CHECKED) or not parameters.unread()
        # The answer to HEAD has no content that could be kept.
        if request.method == "GET" and is_known and _is_everybodys(response):
            if _is_short_text(response):
                caches["pages"].set(key, _as_kept(request, response), _seconds(response))
            _allow_proxy(request, response, pages)
        return response

    return middleware


def edition_of_pages(path: str) -> str | None:
    """Return what pages follow from beside their address: stored facts, code, day; None while none may be kept."""
    editions = editions_of(path) if settings.KEPT_PAGES_SECONDS else None
    return None if editions is None else hash_of(editions, edition(), datetime.now(UTC).date())


def page_edition(request: HttpRequest, scope: str = "") -> HttpResponse:
    """Return the edition of pages to the proxy, which asks once a second; none while caching is off."""
    pages = edition_of_pages(request.path)
    headers = {"X-Accel-Expires": str(PROXY_SECONDS if pages else 0)}
    return HttpResponse(status=204, headers=headers | ({EDITION_HEADER: pages} if pages else {}))


def _may_keep(request: HttpRequest) -> bool:
    """Return whether the answer to a request is nobody's own, and its address not too long for what is kept."""
    return len(request.get_full_path()) <= MAX_ADDRESS and _is_any_reader(request)


def _key(request: HttpRequest, pages: str) -> str:
    # By scheme and host as well: addresses on a page have those of the request, which its sender chose.
    return f"page:{hash_of(pages, request.scheme, request.META.get('HTTP_HOST'), request.get_full_path())}"


def _is_any_reader(request: HttpRequest) -> bool:
    """Return whether a request identifies no user and does not ask for a part of a page."""
    special = any(name in request.headers for name in SPECIAL_HEADERS)
    return request.method in ("GET", "HEAD") and is_anonymous(request) and not special


def _is_everybodys(response: HttpResponse) -> bool:
    """Return whether a response is the same for every reader: public, and without cookies."""
    headers = response.headers
    is_public = headers.get("Cache-Control", "").startswith("public")
    # Cookie stands for session and messages here, and a request with either does not come this far.
    is_public &= headers.get("Vary", "Cookie") == "Cookie"
    return is_public and response.status_code in KEPT_STATUSES and not response.cookies


def _is_short_text(response: HttpResponse) -> bool:
    if response.status_code == 302 or response.streaming or "Content-Disposition" in response.headers:
        return False
    return bool(TEXT.match(response.headers["Content-Type"])) and len(response.content) <= MAX_BYTES


def _seconds(response: HttpResponse) -> int:
    """Return how long a response may be cached, at most as long as its header allows."""
    own = MAX_AGE.search(response.headers.get("Cache-Control", ""))
    longest: int = settings.KEPT_PAGES_SECONDS
    return min(longest, int(own[1])) if own else longest


def _as_kept(request: HttpRequest, response: HttpResponse) -> dict[str, Any]:
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    route = request.resolver_match.view_name if request.resolver_match else ""
    bodies = encoded_bodies(response.content)
    return {"status": response.status_code, "headers": headers, "bodies": bodies, "route": route}


def _answer(request: HttpRequest, kept: Mapping[str, Any], pages: str) -> HttpResponse:
    """Return the cached page, or 304 if the client has it."""
    request.kept_route = kept["route"]  # type: ignore[attr-defined]
    encoding = accepted_encoding(request)
    known = _not_modified(request, kept)
    response = known or encoded_response(kept["bodies"], encoding, status=kept["status"])
    for name, value in kept["headers"].items():
        response.headers[name] = value
    as_variant(response, encoding)
    _allow_proxy(request, response, pages)
    return response


def _not_modified(request: HttpRequest, kept: Mapping[str, Any]) -> HttpResponse | None:
    headers = kept["headers"]
    # A condition counts only where the answer would be a success (RFC 9110, 13.2.1).
    if kept["status"] != 200:
        return None
    changed = parse_http_date_safe(headers.get("Last-Modified", ""))
    known: Any = get_conditional_response(request, etag=headers.get("ETag"), last_modified=changed)
    return cast("HttpResponse | None", known)


def _allow_proxy(request: HttpRequest, response: HttpResponse, pages: str) -> None:
    """Make the page cacheable for the proxy of this installation, for a second if it has another edition.

    All other caches still ask each time.
    """
    held_by = request.headers.get(EDITION_HEADER)
    response.headers["X-Accel-Expires"] = str(_seconds(response) if held_by == pages else PROXY_SECONDS)
    # They are of one caller; the proxy would send them to all.
    for name in RATE_HEADERS if held_by else ():
        response.headers.pop(name, None)
