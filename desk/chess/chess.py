"""My chess: the player record of an account, its results and objections."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.html.refusals import refusals_in_messages
from desk.access import requires
from players.choices import CaseState
from players.models import HiddenBirthYear
from players.permissions import has_account
from players.queries.minors import is_minor
from players.services.cases import cancel
from players.services.claims import claimed_player, newest_closed_claim, open_claim
from players.services.hidden_birth_years import hide_birth_year
from ratings.queries.lists import read_lists
from ratings.queries.own_results import own_results
from ratings.queries.provisional import so_far_of
from tournaments.models import Objection

MAX_SHOWN = 30


@require_safe
@requires(has_account)
def chess(request: HttpRequest) -> HttpResponse:
    """Show the user's player record, results and objections."""
    today = timezone.now().date()
    claim = open_claim(request.user)
    context: dict[str, Any] = {"claim": claim, "today": today}
    if claim is None:
        context["closed"] = newest_closed_claim(request.user)
    elif claim.state == CaseState.APPROVED:
        player = claimed_player(request.user)
        if player is not None:
            # By the account: a later claim of the record must not show what another account wrote.
            found = Objection.objects.filter(asked_by=request.user.pk).select_related("tournament")
            context |= {
                "player": player,
                "results": own_results(player),
                "coming": so_far_of([player.pk], read_lists()),
                "objections": found.order_by("-asked_at", "-pk")[:MAX_SHOWN],
                "is_hidden": HiddenBirthYear.objects.filter(player=player).exists(),
                "may_hide": is_minor(player.birth_year, today),
            }
    return render(request, "desk/chess/chess.html", context)


@require_POST
@requires(has_account)
def hide(request: HttpRequest) -> HttpResponse:
    """Show an age band in place of the year of birth, or the year again."""
    with refusals_in_messages(request):
        # Minors ask for the band themselves (docs/age-bands.md); the service refuses adults.
        hide_birth_year(request.user, is_hidden=request.POST.get("hide") == "yes", at=timezone.now())
        messages.success(request, _("Your choice was saved."))
    return redirect("chess:mine")


@require_POST
@requires(has_account)
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel an objection."""
    # Somebody else's objection is not found, whether it exists or not.
    own = Objection.objects.filter(asked_by=request.user.pk).select_related("tournament", "player")
    found: Objection = get_object_or_404(own, pk=pk)
    if cancel(found, by=request.user, at=timezone.now()):
        messages.info(request, _("The objection was cancelled."))
    return redirect("chess:result", found.tournament.event_id)
