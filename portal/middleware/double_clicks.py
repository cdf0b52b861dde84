"""Forms that are sent twice at once, by a double click."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from core.web.double_clicks import CLAIM, note_answer, repeat_answer


class AnswerOnce:
    """Carry a form out once that is sent twice, by a double click, and answer both requests alike."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if hasattr(request, CLAIM):
            note_answer(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], *_: Any
    ) -> HttpResponse | None:
        # A view that reads its files in its own way asks itself (`bounded`); programs need no help.
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        return repeat_answer(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        # Nothing was carried out: a form that needs a fresh proof comes again with it.
        if hasattr(request, CLAIM):
            cache.delete(getattr(request, CLAIM))
            delattr(request, CLAIM)
