"""How often a caller may ask: a fixed window a scope and address, told in the headers of every answer."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a rate: `limit` requests in `window` seconds, `reset` seconds until the next window."""

    limit: int
    window: int
    remaining: int
    reset: int

    def headers(self) -> Iterator[tuple[str, str]]:
        """Yield the RateLimit headers of an answer."""
        yield "RateLimit-Limit", str(self.limit)
        yield "RateLimit-Remaining", str(self.remaining)
        yield "RateLimit-Reset", str(self.reset)
        yield "RateLimit-Policy", f"{self.limit};w={self.window}"


class ScopedThrottle(BaseThrottle):
    """Counts the requests of an address in the scope that the view names (`throttle_scope`)."""

    def __init__(self) -> None:
        self.allowance: Allowance | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request and return whether it is within the rate."""
        scope = view.scope_of(request)
        limit, window = _rate(scope)
        period, passed = divmod(int(time.time()), window)
        # A proxy may have been told anything; a key takes plain letters only.
        caller = hashlib.sha256(str(self.get_ident(request)).encode()).hexdigest()[:32]
        count = _counted(f"api:{scope}:{caller}:{period}", window)
        self.allowance = Allowance(limit, window, max(0, limit - count), window - passed)
        # The headers are written when the answer is finished, whatever it is.
        view.allowance = self.allowance
        return count <= limit

    def wait(self) -> float | None:
        """Return the seconds until the next window."""
        return self.allowance.reset if self.allowance else None


def _rate(scope: str) -> tuple[int, int]:
    number, period = str(api_settings.DEFAULT_THROTTLE_RATES[scope]).split("/")
    return int(number), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]


def _counted(key: str, window: int) -> int:
    if cache.add(key, 1, timeout=window):
        return 1
    try:
        return cache.incr(key)
    except ValueError:
        # The window ended between the two calls.
        return 1
