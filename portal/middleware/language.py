"""The language of a request: that of its address."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_language


class AddressLocaleMiddleware(LocaleMiddleware):
    """Set the language only from the address, so that caches need not separate readers."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Language", get_language() or "")
        return response
