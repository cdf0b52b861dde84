"""A bound for the address of a request."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse

from api.errors import problem

API = "/api/"
# No address of the portal is near these; what reads addresses, and Django's own patterns, needs a bound.
MAX_PATH, MAX_PARAMETERS = 2048, 1000


def refuse_long_addresses(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 414 to an address with a path of more than 2 KB, as it was sent, or over 1,000 parameters."""

    def middleware(request: HttpRequest) -> HttpResponse:
        # gunicorn hands on the address as it was sent, up to three times as long by percent-encoding.
        sent = request.META.get("RAW_URI", request.path).partition("?")[0]
        if max(len(sent), len(request.path)) > MAX_PATH:
            detail = f"The path of the address is longer than {MAX_PATH} bytes."
        elif request.META.get("QUERY_STRING", "").count("&") >= MAX_PARAMETERS:
            detail = f"The address has more than {MAX_PARAMETERS} parameters."
        else:
            return get_response(request)
        if request.path.startswith(API):
            return problem(HTTPStatus.REQUEST_URI_TOO_LONG, detail)
        return HttpResponse(f"{detail}\n", status=HTTPStatus.REQUEST_URI_TOO_LONG, content_type="text/plain")

    return middleware
