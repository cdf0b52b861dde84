"""The language of a request: that of its address, in the administration that of the account."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_language, override

ADMIN = "/admin/"


class AddressLocaleMiddleware(LocaleMiddleware):
    """Set the language only from the address, so that caches need not separate readers."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Language", get_language() or "")
        return response


def speak_to_staff(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Show the admin, whose addresses have no language, in the language of the account."""

    def middleware(request: HttpRequest) -> HttpResponse:
        language = getattr(request.user, "language", "") if request.path_info.startswith(ADMIN) else ""
        if not language:
            return get_response(request)
        with override(language):
            response = get_response(request)
        response.headers["Content-Language"] = language
        return response

    return middleware
