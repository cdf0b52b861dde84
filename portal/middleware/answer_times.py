"""How long each answer took, for the metrics."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponse

from portal.metrics import REQUEST_SECONDS

# Addresses that lead nowhere share a name: an attacker's inventions must not become rows.
NO_ROUTE = "none"


def measure_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Note how long each answer took."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        response = get_response(request)
        match = request.resolver_match
        # A page that is kept was answered before its address was resolved.
        route = match.view_name if match else getattr(request, "kept_route", "")
        REQUEST_SECONDS.labels(route or NO_ROUTE, response.status_code).observe(perf_counter() - began)
        return response

    return middleware
