"""Rate limits of API calls and of public forms: a fixed window per scope and address."""

from __future__ import annotations

import hashlib
import ipaddress
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import wraps
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a rate: `limit` requests in `window` seconds, `reset` seconds until the next window."""

    limit: int
    window: int
    count: int
    reset: int

    @property
    def is_exceeded(self) -> bool:
        return self.count > self.limit

    def headers(self) -> Iterator[tuple[str, str]]:
        """Yield the RateLimit headers of an answer."""
        yield "RateLimit-Limit", str(self.limit)
        yield "RateLimit-Remaining", str(max(0, self.limit - self.count))
        yield "RateLimit-Reset", str(self.reset)
        yield "RateLimit-Policy", f"{self.limit};w={self.window}"


class ScopedThrottle(BaseThrottle):
    """Counts the requests of an address in the scope that the view names (`throttle_scope`)."""

    allowance: Allowance

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request and return whether it is within the rate."""
        # The headers are added to every response when it is complete.
        self.allowance = view.allowance = count_call(request, view.throttle_scope(request))
        return not self.allowance.is_exceeded

    def wait(self) -> float:
        """Return the seconds until the next window."""
        return self.allowance.reset


def count_call(request: Any, scope: str) -> Allowance:
    """Count a request of an address in a scope, and return what is left of its rate."""
    limit, window = _rate(scope)
    period, passed = divmod(int(time.time()), window)
    # A proxy may pass on any text; a key has only plain letters.
    caller = hashlib.sha256(caller_of(request).encode()).hexdigest()[:32]
    count = count_up(f"api:{scope}:{caller}:{period}", window)
    return Allowance(limit, window, count, window - passed)


def caller_of(request: Any) -> str:
    """Return whom all limits count by: the network of the address that the proxy in front, if there is one, saw."""
    return network_of(str(BaseThrottle().get_ident(request)))


def network_of(address: str) -> str:
    """Return whom a limit counts: an IPv4 address, or the /64 of an IPv6 one, of which a household has 2^64."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    # A server that listens for both families reports the IPv4 address of a caller in this form.
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def _rate(scope: str) -> tuple[int, int]:
    number, period = str(api_settings.DEFAULT_THROTTLE_RATES[scope]).split("/")
    return int(number), {"s": 1, "m": 60, "h": 3600, "d": 86400}[period[0]]


def count_up(key: str, window: int) -> int:
    """Count one more within so many seconds, and return how many there are."""
    # With `get` and `set`, callers who come at the same moment would count as one.
    if cache.add(key, 1, timeout=window):
        return 1
    try:
        return cache.incr(key)
    except ValueError:
        # The window ended between the two calls, or what is there is no number.
        return 1


View = Callable[..., HttpResponseBase]


def limited(scope: str, *, method: str = "POST") -> Callable[[View], View]:
    """Limit the forms of an IP address to the rate of the scope; answer 429 above it.

    With `method="GET"` it limits downloads by GET and by HEAD, which costs as much.
    """
    methods = {"GET", "HEAD"} if method == "GET" else {method}

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method not in methods or not (left := count_call(request, scope)).is_exceeded:
                return view(request, *args, **kwargs)
            # The minute of the window's end, never one before it.
            until = timezone.now() + timedelta(seconds=left.reset + 59)
            response = render(request, "429.html", {"until": until}, status=429)
            response["Retry-After"] = str(left.reset)
            return response

        return guarded

    return decorate
