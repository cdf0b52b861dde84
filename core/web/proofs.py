"""A fresh proof of who somebody is: a borrowed session makes nothing that lasts."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.core.exceptions import ReauthenticationRequired
from django.http import HttpRequest, HttpResponseBase

FRESH_SECONDS = 15 * 60
PROVED_AT = "proved_at"
View = Callable[..., HttpResponseBase]


def record_proof(request: HttpRequest) -> None:
    """Record that a person has just signed in."""
    request.session[PROVED_AT] = time.time()


def has_fresh_proof(request: HttpRequest) -> bool:
    """Whether the person signed in, or gave password or second factor again, in the last 15 minutes."""
    given: list[float] = [record["at"] for record in get_authentication_records(request, request.user)]
    given.append(request.session.get(PROVED_AT, 0))
    # A time ahead was recorded before the clock was set back.
    return any(0 <= time.time() - at < FRESH_SECONDS for at in given)


def proved(view: View) -> View:
    """Ask whoever posts to the view for password or second factor first, unless they gave one just now.

    What was posted is carried out after the proof.
    """

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method == "POST" and not has_fresh_proof(request):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return guarded
