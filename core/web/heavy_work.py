"""Heavy work, of which a caller and a process do only so much at a time."""

from __future__ import annotations

import fcntl
import hashlib
import os
import threading
import time
from collections.abc import Iterator, Sized
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from core.errors import BusyError
from core.web.rates import caller_of

# Of the four threads of a process so many do heavy work, one more waits a moment for a place: the others serve pages.
HEAVY_PLACES, HEAVY_WAIT_SECONDS, PAUSE = 2, 2.0, 0.05
# A report of some 800 players and seven rounds, which is read and checked in a tenth of a second.
LARGE_BYTES = 128 << 10
_room = threading.BoundedSemaphore(HEAVY_PLACES + 1)
_places = threading.BoundedSemaphore(HEAVY_PLACES)
# The numbers of callers for whom this process works: a lock on a file is a process's, whichever of its threads asks.
_callers: set[int] = set()
_guard = threading.Lock()


@contextmanager
def heavy_work(request: HttpRequest) -> Iterator[None]:
    """Let the caller do one piece of heavy work at a time on a machine; `BusyError` where there is no place.

    A process does few pieces. A caller is who signed in, by a session or by a token, or an address.
    """
    if not _room.acquire(blocking=False):
        raise BusyError
    try:
        last = time.monotonic() + HEAVY_WAIT_SECONDS
        number = int.from_bytes(hashlib.sha256(_caller(request).encode()).digest()[:7], "big")
        while not _takes(number):
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
            with _guard:
                _callers.discard(number)
                if (file := _locks(os.getpid())) is not None:
                    fcntl.lockf(file, fcntl.LOCK_UN, 1, number)
    finally:
        _room.release()


@contextmanager
def heavy_if_large(request: HttpRequest, content: Sized) -> Iterator[None]:
    """Let the caller read a file, as heavy work if it is large; `BusyError` where there is no place for that."""
    with heavy_work(request) if len(content) > LARGE_BYTES else nullcontext():
        yield


def _takes(number: int) -> bool:
    """Take the caller's place unless this process or another one holds it; who dies gives it back."""
    with _guard:
        if number in _callers:
            return False
        if (file := _locks(os.getpid())) is not None:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:
                return False
        _callers.add(number)
    return True


@cache
def _locks(process: int) -> int | None:
    """Return the file on which processes of this machine lock a byte for each caller, or None where none can be made.

    It stays open for the life of the process, which has its own: closing it anywhere would give back all locks.
    """
    try:
        return os.open(Path(settings.VAR_DIR) / "heavy.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
    except OSError:
        return None


def _caller(request: Any) -> str:
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user {user.pk}"
    # An arena has a token and no user. The header itself says nothing: anybody can invent a token for each request.
    if (arena := getattr(request, "auth", None)) is not None:
        return f"arena {arena.pk}"
    return caller_of(request)
