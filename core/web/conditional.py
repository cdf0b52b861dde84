"""Conditional responses: a caller who has the version already gets 304 before anything heavy is read."""

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


def conditionally(
    request: HttpRequest,
    page: Callable[[], HttpResponse],
    *,
    version: Any,
    changed_at: datetime | None = None,
) -> HttpResponse:
    """Return the page with its validators, or 304 where the caller has this version of it already.

    `version` is whatever the page follows from. Somebody known, or with messages waiting, always gets the page
    itself, and nobody else may keep it.
    """
    if not is_anonymous(request):
        return _varying(page(), "private, no-store")
    etag = etag_of((get_language(), version))
    return _varying(validated(request, page, etag=etag, changed_at=changed_at), "public, no-cache")


def public_page(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let everybody keep what a view answers anonymous readers; its ETag is that of its bytes.

    For pages that follow from their address and the database alone. One with the token of a form is nobody else's.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        response = view(request, *args, **options)
        own = response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or not is_anonymous(request)
        if own or response.status_code != 200 or "Cache-Control" in response.headers:
            return response
        etag = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
        return _varying(validated(request, lambda: response, etag=etag), "public, no-cache")

    return answer


def validated(
    request: HttpRequest, make: Callable[[], Response], *, etag: str, changed_at: datetime | None = None
) -> Response | HttpResponse:
    """Return the response of `make` with its validators; 304, or 412, where the request's conditions say so."""
    seconds = int(changed_at.timestamp()) if changed_at else None
    known: Any = get_conditional_response(request, etag=etag, last_modified=seconds)
    response = make() if known is None else known
    if response.status_code in (200, 304):
        response["ETag"] = etag
        if seconds is not None:
            response["Last-Modified"] = http_date(seconds)
    return response


def etag_of(version: Any) -> str:
    """Return the ETag of whatever has this version, with this edition of the code."""
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
