"""Heavy work, of which a caller and a process do only so much at a time."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest

from core.errors import BusyError
from core.web.rates import caller_of

# Of the four threads of a process so many do heavy work, one more waits a moment for a place: the others serve pages.
HEAVY_PLACES, HEAVY_WAIT_SECONDS, PAUSE = 2, 2.0, 0.05
# Longer than the web server lets a request run: the mark of a process that died goes.
HEAVY_SECONDS = 150
_room = threading.BoundedSemaphore(HEAVY_PLACES + 1)
_places = threading.BoundedSemaphore(HEAVY_PLACES)


@contextmanager
def heavy_work(request: HttpRequest) -> Iterator[None]:
    """Let the caller do one piece of heavy work at a time, and a process few; `BusyError` where there is no place.

    A caller is who signed in, by a session or by a token, or an address.
    """
    if not _room.acquire(blocking=False):
        raise BusyError
    try:
        last = time.monotonic() + HEAVY_WAIT_SECONDS
        caller = hashlib.sha256(_caller(request).encode()).hexdigest()[:32]
        # By the prefix of calls, of which a process keeps count while Redis is away or full.
        key = f"api:heavy:{caller}"
        while not cache.add(key, 1, timeout=HEAVY_SECONDS):
            if time.monotonic() > last:
                raise BusyError
            time.sleep(PAUSE)
        try:
            if not _places.acquire(timeout=max(0.0, last - time.monotonic())):
                raise BusyError
            try:
                yield
            finally:
                _places.release()
        finally:
            cache.delete(key)
    finally:
        _room.release()


def _caller(request: Any) -> str:
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user {user.pk}"
    # An arena has a token and no user. The header itself says nothing: anybody can invent a token for each request.
    if (arena := getattr(request, "auth", None)) is not None:
        return f"arena {arena.pk}"
    return caller_of(request)
