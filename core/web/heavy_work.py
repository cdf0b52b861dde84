"""Heavy work, of which a caller and a process do only so much at a time."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.throttling import BaseThrottle

from core.errors import BusyError
from core.web.rates import network_of

# Of the four threads of a process so many do heavy work at once; others wait a moment for a place.
HEAVY_PLACES, HEAVY_WAIT_SECONDS = 2, 2.0
# Longer than the web server lets a request run: the mark of a process that died goes.
HEAVY_SECONDS = 150
_places = threading.BoundedSemaphore(HEAVY_PLACES)


@contextmanager
def heavy_work(request: HttpRequest) -> Iterator[None]:
    """Let the caller do one piece of heavy work at a time, and a process few; `BusyError` where there is no place.

    A caller is a signed-in user, the holder of a token, or an address.
    """
    caller = hashlib.sha256(_caller(request).encode()).hexdigest()[:32]
    # By the prefix of calls, of which a process keeps count while Redis is away or full.
    key = f"api:heavy:{caller}"
    if not cache.add(key, 1, timeout=HEAVY_SECONDS):
        raise BusyError
    try:
        if not _places.acquire(timeout=HEAVY_WAIT_SECONDS):
            raise BusyError
        try:
            yield
        finally:
            _places.release()
    finally:
        cache.delete(key)


def _caller(request: HttpRequest) -> str:
    if token := request.headers.get("Authorization"):
        return f"token {token}"
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user {user.pk}"
    any_request: Any = request
    return network_of(str(BaseThrottle().get_ident(any_request)))
