"""The ID of each request, in the log and in the answer."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

import structlog
from django.http import HttpRequest, HttpResponse

REQUEST_ID_HEADER = "X-Request-ID"


# Another text could end a line of the log, or pass for another field of it.
ACCEPTED_ID = re.compile(r"[A-Za-z0-9_.-]{8,64}")


def request_id_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each request an id (the proxy's, where it sends a plain one), in the log and in the answer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(REQUEST_ID_HEADER, "")
        request_id = given if ACCEPTED_ID.fullmatch(given) else uuid.uuid4().hex
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            response = get_response(request)
        response[REQUEST_ID_HEADER] = request_id
        return response

    return middleware
