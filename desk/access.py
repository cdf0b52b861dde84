"""Access control of the desk's views. Each declares one predicate, which tests read as `view.requires`.

After a form is carried out, the rail of the next page counts the user's work anew.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse

from core.web.typed_forms import sign_in_first
from desk.work import forget_counts
from tournaments.models import Tournament
from tournaments.permissions import can_see_drafts, for_user

View = Callable[..., HttpResponseBase]


def requires(may: Callable[[Any], bool]) -> Callable[[View], View]:
    """Restrict the view to users who pass the predicate. Visitors sign in first, other users get 403."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            # Visitors sign in first even where they may not: what a form brought is kept for them (ADR 13).
            if not may(request.user):
                raise PermissionDenied
            return _forget_counts_after(request, view(request, *args, **kwargs))

        guarded.requires = may  # type: ignore[attr-defined]
        return guarded

    return decorate


def requires_for_tournament(
    may: Callable[[Any, Tournament], bool], *, visible: Callable[[Any], QuerySet[Tournament]] = for_user
) -> Callable[[View], View]:
    """Pass the tournament named in the URL to the view.

    Return 404 if it is not `visible` to the user (by default: on their dashboard), 403 if the predicate fails.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, event_id: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return sign_in_first(request)
            # PostgreSQL refuses the character in a query.
            if "\x00" in event_id:
                raise Http404
            # 404 and not 403: drafts of another federation are not even named.
            tournaments = visible(request.user).select_related("federation", "registered_by")
            tournament = get_object_or_404(tournaments, event_id=event_id)
            if not may(request.user, tournament):
                raise PermissionDenied
            return _forget_counts_after(request, view(request, tournament, *args, **kwargs))

        guarded.requires = may  # type: ignore[attr-defined]
        return guarded

    return decorate


def tournament_url(user: Any, tournament: Tournament) -> str:
    """Return the page of a tournament that the user has: the desk's, or that for its chief arbiter."""
    page = "desk:tournament" if can_see_drafts(user, tournament) else "desk:arbiter"
    return reverse(page, args=[tournament.event_id])


def _forget_counts_after(request: HttpRequest, answer: HttpResponseBase) -> HttpResponseBase:
    # A form with an error comes again: nothing was done.
    if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
        forget_counts(request.user)
    return answer
