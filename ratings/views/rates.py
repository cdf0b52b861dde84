"""How often somebody unknown may ask for what costs work: the rates of the API, for pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from ratings.api.throttles import Allowance, ScopedThrottle

View = Callable[..., HttpResponseBase]


@dataclass
class _Asked:
    scope: str
    allowance: Allowance | None = None

    def scope_of(self, request: Any) -> str:
        """Return the scope in which the request counts."""
        return self.scope


def limited(scope: str) -> Callable[[View], View]:
    """Let an address send so many forms a minute as the scope allows; more is answered with 429."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            asked, throttle = _Asked(scope), ScopedThrottle()
            request_of_any_kind: Any = request
            if request.method == "POST" and not throttle.allow_request(request_of_any_kind, asked):
                response = render(request, "429.html", status=429)
                response["Retry-After"] = str(int(throttle.wait() or 60))
                return response
            return view(request, *args, **kwargs)

        return guarded

    return decorate
