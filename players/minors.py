"""Whose years of birth a request does not show, asked for once."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils import timezone

from players.models import Federation
from players.queries.minors import Minors, minors_of, minors_on

KEPT = "_minors_not_shown"


def minors_for(request: HttpRequest, *, of: Federation | None = None) -> Minors:
    """Return whose years of birth are not shown today (UTC); one query a request.

    `of` is the federation whose players alone a page shows: that one is known already, and no query is made.
    """
    found: Minors | None = getattr(request, KEPT, None)
    if found is None:
        today = timezone.now().date()
        found = minors_of(of, today) if of else minors_on(today)
        setattr(request, KEPT, found)
    return found
