"""Who gets in: every view of the desk declares one predicate, which tests can read as `view.requires`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from players.views.typed import sign_in_first

View = Callable[..., HttpResponseBase]


def requires(may: Callable[[Any], bool]) -> Callable[[View], View]:
    """Let in whom the predicate allows; others are asked to sign in, or told that they may not."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            if not may(request.user):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        guarded.requires = may  # type: ignore[attr-defined]
        return guarded

    return decorate
