"""Headers of every answer: security, and who may keep it."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from portal.secret_addresses import SECRET_ADDRESS


def security_headers(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Add the headers of `settings.SECURITY_HEADERS` to every response that does not set them.

    A page with a secret address sends no referrer, so that no log has the address.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if SECRET_ADDRESS.search(request.path):
            # Not `no-referrer`: forms would lack the origin that distinguishes them from those of other sites.
            response.headers["Referrer-Policy"] = "strict-origin"
        for name, value in settings.SECURITY_HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


PRIVATE = "private, no-store"


def private_by_default(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Forbid caching of responses that do not allow it themselves, as public pages do.

    Dashboard, account, admin and invitation pages are never cached: the next user of the computer must not see them.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        directives = response.headers.get("Cache-Control", "")
        if not directives or ("no-store" not in directives and PERSONAL.match(request.path)):
            response.headers["Cache-Control"] = PRIVATE
        return response

    return middleware


PERSONAL = re.compile(r"/([a-z]{2}/)?(desk|accounts|admin|invitations|follows)(/|$)")
