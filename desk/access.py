"""Who gets in: every view of the desk declares one predicate, which tests can read as `view.requires`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404

from core.web.typed import sign_in_first
from tournaments.models import Tournament
from tournaments.permissions import for_user

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


def requires_for_tournament(
    may: Callable[[Any, Tournament], bool], *, among: Callable[[Any], QuerySet[Tournament]] = for_user
) -> Callable[[View], View]:
    """Give the view the tournament of its address.

    A 404 where it is not at the person's desk (or not `among` what the person has), a 403 where the predicate says
    no.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, event_id: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            if "\x00" in event_id:
                raise Http404
            at_the_desk = among(request.user).select_related("federation", "registered_by")
            tournament = get_object_or_404(at_the_desk, event_id=event_id)
            if not may(request.user, tournament):
                raise PermissionDenied
            return view(request, tournament, *args, **kwargs)

        guarded.requires = may  # type: ignore[attr-defined]
        return guarded

    return decorate
