"""Federations: all of them, and one with officer, first players and tournaments."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players.models import Federation
from players.queries.federations import unlisted_codes
from ratings.queries.catalogue import catalogue
from ratings.queries.federations import all_federations, first_players, tournaments_of_federation
from tournaments.queries.states import state_of


@require_safe
def federations(request: HttpRequest) -> HttpResponse:
    """Show all federations with their standing."""
    unlisted = unlisted_codes(timezone.now().date())
    rows = [(one, one.code in unlisted) for one in all_federations()]
    return render(request, "ratings/federations.html", {"rows": rows})


@require_safe
def federation(request: HttpRequest, code: str) -> HttpResponse:
    """Show a federation."""
    found = Federation.objects.filter(code=code).first()
    if found is None:
        raise Http404(_("There is no federation with the code “%(code)s”.") % {"code": code})
    context = {
        "federation": found,
        "is_unlisted": code in unlisted_codes(timezone.now().date()),
        "tops": first_players(code, catalogue()),
        "tournaments": [(one, state_of(one)) for one in tournaments_of_federation(code)],
    }
    return render(request, "ratings/federation.html", context)
