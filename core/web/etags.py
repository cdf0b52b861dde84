"""Conditional answers: a caller who has the version already gets 304 before anything heavy is read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date
from django.utils.translation import get_language

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
    return _varying(with_validators(request, page, etag=etag, changed_at=changed_at), "public, no-cache")


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
    # Django marks here that the page has the token of a form; the cookie is set only by an outer middleware.
    own = response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or not is_anonymous(request)
    # A view that says itself who may keep its answer is left alone.
    if own or response.status_code not in KEPT_STATUSES or "Cache-Control" in response.headers:
        return response
    if response.status_code != 200:
        return _varying(response, "public, no-cache")
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    return _varying(with_validators(request, lambda: response, etag=etag), "public, no-cache")


def with_validators(
    request: HttpRequest, make: Callable[[], Response], *, etag: str, changed_at: datetime | None = None
) -> Response | HttpResponse:
    """Return the response of `make` with its validators; 304 or 412 by the conditions of the request."""
    # HTTP has whole seconds (RFC 9110, 5.6.7).
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
    return f'"{hash_of(edition(), version)}"'


def hash_of(*parts: Any) -> str:
    """Return a short hash of values by their representation."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


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
