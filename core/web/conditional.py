"""Pages that are not made or sent twice: conditional answers, compressed ones, pages that are kept (ADR 19, 21).

A caller who has the version already gets 304 before anything heavy is read. A rendered public page is kept until the
database changes, so that the next reader is answered before any view: by its edition (`core.bulk`), the edition
of the code, the day, host and address, and compressed. A form that a double click sends twice is carried out once.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import brotli
from django.apps import apps
from django.conf import settings
from django.contrib.messages import get_messages
from django.contrib.messages.storage.base import BaseStorage, Message
from django.contrib.messages.storage.cookie import MessageDecoder, MessageEncoder
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, QueryDict
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date, parse_http_date_safe
from django.utils.translation import get_language

from core.bulk import editions_of

Response = TypeVar("Response", bound=HttpResponseBase)
# Folders beside the installed apps that shape a page.
SHARED_FOLDERS = ("templates", "static", "locale")
ENDINGS = frozenset({".py", ".html", ".css", ".js", ".mo"})
KEPT_STATUSES = (200, 302, 404)


def conditionally(
    request: HttpRequest,
    page: Callable[[], HttpResponse],
    *,
    version: Any,
    changed_at: datetime | None = None,
) -> HttpResponse:
    """Return the page with its validators, or 304 where the caller has this version of it already.

    `version` is everything that the page depends on. A signed-in user, or a reader with messages, always gets the page
    itself, which must not be cached for others.
    """
    if not is_anonymous(request):
        return _varying(page(), "private, no-store")
    etag = etag_of((get_language(), version))
    return _varying(validated(request, page, etag=etag, changed_at=changed_at), "public, no-cache")


def public_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make responses to anonymous readers cacheable, with an ETag of their content.

    For pages that depend only on their address and the database. Pages with the token of a form are not cached.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        return as_public(request, view(request, *args, **options))

    return answer


def as_public(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Make the response to an anonymous reader cacheable, unless it has content of that reader."""
    own = response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or not is_anonymous(request)
    if own or response.status_code not in KEPT_STATUSES or "Cache-Control" in response.headers:
        return response
    if response.status_code != 200:
        return _varying(response, "public, no-cache")
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    return _varying(validated(request, lambda: response, etag=etag), "public, no-cache")


def validated(
    request: HttpRequest, make: Callable[[], Response], *, etag: str, changed_at: datetime | None = None
) -> Response | HttpResponse:
    """Return the response of `make` with its validators; 304 or 412 by the conditions of the request."""
    seconds = int(changed_at.timestamp()) if changed_at else None
    known: Any = get_conditional_response(request, etag=etag, last_modified=seconds)
    response = make() if known is None else known
    if response.status_code in (200, 304):
        response["ETag"] = etag
        if seconds is not None:
            response["Last-Modified"] = http_date(seconds)
    return response


def etag_of(version: Any) -> str:
    """Return the ETag of a version with this edition of the code."""
    digest = hashlib.sha256(repr((edition(), version)).encode()).hexdigest()
    return f'"{digest[:32]}"'


def is_anonymous(request: HttpRequest) -> bool:
    """Return whether a request has neither a session nor messages."""
    known_by = {settings.SESSION_COOKIE_NAME, "messages"}
    return known_by.isdisjoint(request.COOKIES)


def _varying(response: HttpResponse, cache_control: str) -> HttpResponse:
    patch_vary_headers(response, ["Cookie"])
    response["Cache-Control"] = cache_control
    return response


@cache
def edition() -> str:
    """Return a hash of the files that shape pages, the same on every machine with the same code."""
    digest = hashlib.sha256()
    for path in sorted(_shaping_files()):
        digest.update(path.relative_to(settings.BASE_DIR).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _shaping_files() -> Iterator[Path]:
    """Yield the files of the project's own apps, templates and catalogues: a change to any is a new page."""
    base = Path(settings.BASE_DIR)
    own_apps = [Path(app.path) for app in apps.get_app_configs() if Path(app.path).parent == base]
    for folder in [*own_apps, *(base / name for name in SHARED_FOLDERS)]:
        for path in folder.rglob("*"):
            if path.suffix in ENDINGS and path.is_file():
                yield path


TEXT = re.compile(r"text/|image/svg\+xml|application/([a-z.+-]*\+)?(json|xml|yaml|x-ndjson)\b")
# In the order of preference; `q=0` refuses.
ENCODINGS = {
    name: re.compile(rf"(^|[\s,]){name}\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))", re.IGNORECASE)
    for name in ("br", "gzip")
}
BROTLI_QUALITY = GZIP_LEVEL = 5


def compress(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Compress text for clients that accept it.

    Django's gzip pads each response by a random length, so that its size reveals no secrets in it (BREACH).
    A file of known length is sent unchanged: it has a compressed copy.
    """
    gzipped = GZipMiddleware(get_response).process_response

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == 304:
            return as_variant(response, accepted_encoding(request))
        is_file = response.streaming and "Content-Length" in response.headers
        is_file |= "X-Accel-Redirect" in response.headers
        if is_file or response.status_code == 206 or not TEXT.match(response.headers.get("Content-Type", "")):
            return response
        # Django's gzip takes `gzip;q=0` for consent.
        if ENCODINGS["gzip"].search(request.headers.get("Accept-Encoding", "")):
            gzipped(request, response)
        else:
            patch_vary_headers(response, ["Accept-Encoding"])
        return response

    return middleware


def accepted_encoding(request: HttpRequest) -> str:
    """Return the encoding to send, "br" or "gzip"; empty for none."""
    offered = request.headers.get("Accept-Encoding", "")
    return next((name for name, pattern in ENCODINGS.items() if pattern.search(offered)), "")


def as_variant(response: HttpResponse, encoding: str) -> HttpResponse:
    """Mark a response as one of several with the same content: `Vary`, and a weak ETag where it is encoded."""
    patch_vary_headers(response, ["Accept-Encoding"])
    etag = response.headers.get("ETag", "")
    if encoding and etag.startswith('"'):
        response.headers["ETag"] = f"W/{etag}"
    return response


def encoded_bodies(content: bytes) -> dict[str, str]:
    """Return a page in each encoding, as base64 for a cache of JSON values."""
    bodies = {
        "br": brotli.compress(content, quality=BROTLI_QUALITY),
        "gzip": gzip.compress(content, GZIP_LEVEL, mtime=0),
    }
    return {name: b64encode(body).decode() for name, body in bodies.items()}


def encoded_response(bodies: Mapping[str, str], encoding: str, *, status: int = 200) -> HttpResponse:
    """Return the response with a body of `encoded_bodies` and its length, so that it is sent at once."""
    body = b64decode(bodies[encoding or "gzip"])
    if not encoding:
        body = gzip.decompress(body)
    headers = {"Content-Length": str(len(body))}
    headers |= {"Content-Encoding": encoding} if encoding else {}
    return HttpResponse(body, status=status, headers=headers)


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
    "Deprecation",
    "Link",
)
# Requests with one of these are answered by the view.
SPECIAL_HEADERS = ("Authorization", "HX-Request", "Range", "If-Match", "If-Unmodified-Since")
RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy")
MAX_AGE = re.compile(r"max-age=(\d+)")


# The API refuses parameters that it does not know.
CHECKED = "/api/"


class Parameters(QueryDict):
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
        parameters = Parameters(request.META.get("QUERY_STRING", ""), encoding=request.encoding)
        request.GET = parameters  # type: ignore[assignment]
        response = get_response(request)
        is_known = request.path.startswith(CHECKED) or not parameters.unread()
        if request.method == "GET" and is_known and _is_everybodys(response):
            if _is_short_text(response):
                caches["pages"].set(key, _as_kept(request, response), _seconds(response))
            _allow_proxy(request, response, pages)
        return response

    return middleware


def edition_of_pages(path: str) -> str | None:
    """Return what pages follow from beside their address: stored facts, code, day; None while none may be kept."""
    editions = editions_of(path) if settings.KEPT_PAGES_SECONDS else None
    return None if editions is None else _hashed(editions, edition(), datetime.now(UTC).date())


def page_edition(request: HttpRequest, scope: str = "") -> HttpResponse:
    """Return the edition of pages to the proxy, which asks once a second; none while caching is off."""
    pages = edition_of_pages(request.path)
    headers = {"X-Accel-Expires": str(PROXY_SECONDS if pages else 0)}
    return HttpResponse(status=204, headers=headers | ({EDITION_HEADER: pages} if pages else {}))


def _may_keep(request: HttpRequest) -> bool:
    """Return whether the answer to a request is nobody's own, and its address not too long for what is kept."""
    return len(request.get_full_path()) <= MAX_ADDRESS and _is_any_reader(request)


def _key(request: HttpRequest, pages: str) -> str:
    return f"page:{_hashed(pages, request.scheme, request.META.get('HTTP_HOST'), request.get_full_path())}"


def _hashed(*parts: Any) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _is_any_reader(request: HttpRequest) -> bool:
    """Return whether a request identifies no user and does not ask for a part of a page."""
    special = any(name in request.headers for name in SPECIAL_HEADERS)
    return request.method in ("GET", "HEAD") and is_anonymous(request) and not special


def _is_everybodys(response: HttpResponse) -> bool:
    """Return whether a response is the same for every reader: public, and without cookies."""
    headers = response.headers
    is_public = headers.get("Cache-Control", "").startswith("public")
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
    for name in RATE_HEADERS if held_by else ():
        response.headers.pop(name, None)


# Whoever sends a form again later than this wants it to be read again.
REPEAT_SECONDS = 5
WAITING_SECONDS, PAUSE_SECONDS, IN_PROGRESS, CLAIM = 15, 0.05, "in progress", "_form_sent"


def repeat_answer(request: HttpRequest) -> HttpResponse | None:
    """Return the redirect that answered the same form a moment ago; None for a form that is to be carried out.

    Each page that is rendered has a CSRF token of its own, so that two clicks on one button send the same content. The
    second waits while the first is carried out.
    """
    if "csrfmiddlewaretoken" not in request.POST or not request.user.is_authenticated:
        return None
    sent = [(name, one.name, _digest(one)) for name, files in request.FILES.lists() for one in files]
    key = f"sent:{_hashed(request.session.session_key, request.get_full_path(), request.POST.urlencode(), sent)}"
    give_up_at = time.monotonic() + WAITING_SECONDS
    while not caches["default"].add(key, IN_PROGRESS, WAITING_SECONDS):
        answer = caches["default"].get(key, IN_PROGRESS)
        if answer != IN_PROGRESS:
            return _answer_again(request, *answer)
        if time.monotonic() > give_up_at:
            return None
        time.sleep(PAUSE_SECONDS)
    setattr(request, CLAIM, key)
    return None


def _digest(file: Any) -> str:
    digest = hashlib.sha256(file.read()).hexdigest()
    file.seek(0)
    return digest


def note_answer(request: HttpRequest, response: HttpResponse) -> None:
    """Keep the redirect that answers a form, with its messages, for the second of two clicks."""
    if isinstance(response, HttpResponseRedirect) and not response.cookies:
        told = json.dumps(_waiting_messages(request), cls=MessageEncoder)
        caches["default"].set(getattr(request, CLAIM), [response.url, told], REPEAT_SECONDS)
    else:
        caches["default"].delete(getattr(request, CLAIM))


def _answer_again(request: HttpRequest, address: str, told: str) -> HttpResponse:
    # The first answer may have reached the browser before the second click.
    for message in json.loads(told, cls=MessageDecoder):
        if message not in _waiting_messages(request):
            get_messages(request).add(message.level, message.message, message.extra_tags)  # type: ignore[union-attr]
    return HttpResponseRedirect(address)


def _waiting_messages(request: HttpRequest) -> list[Message]:
    """Return the messages that the next page shows, which it still does after this."""
    storage = cast(BaseStorage, get_messages(request))
    was_used = storage.used
    waiting = [Message(one.level, str(one.message), one.extra_tags) for one in storage]
    storage.used = was_used
    return waiting
