"""Times of answers, by the name of the route and the status; kept by each web process."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram

SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
# Addresses that lead nowhere share a name: an attacker's inventions must not become rows.
NO_ROUTE = "none"

REQUEST_SECONDS = Histogram(
    "portal_request_seconds", "Time until an answer began.", ["route", "status"], buckets=SECONDS
)


def measure_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Note how long each answer took."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = get_response(request)
        match = request.resolver_match
        route = match.view_name if match and match.view_name else NO_ROUTE
        REQUEST_SECONDS.labels(route, response.status_code).observe(time.perf_counter() - began)
        return response

    return middleware
