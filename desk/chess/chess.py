"""My chess: the way of an account to its player page, and what is decided there."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.html.refusals import refusals_in_messages
from core.web.typed_forms import restore_form
from desk.access import requires
from desk.chess.claim import ClaimForm
from players.cases import cancel
from players.claims import newest_closed_claim, open_claim
from players.minors import hide_birth_year
from players.permissions import has_account
from tournaments.models import Objection


@require_safe
@requires(has_account)
def chess(request: HttpRequest) -> HttpResponse:
    """Lead to the page of the claimed player, which has the claim and what is theirs, or show the way to a claim."""
    claim = open_claim(request.user)
    if claim is not None:
        return redirect("players:player", claim.player_id)
    form = ClaimForm(restore_form(request, to=reverse("chess:claim")), user=request.user)
    context = {"form": form, "closed": newest_closed_claim(request.user)}
    return render(request, "desk/chess/chess.html", context)


@require_POST
@requires(has_account)
def hide(request: HttpRequest) -> HttpResponse:
    """Show an age band in place of the year of birth, or the year again."""
    with refusals_in_messages(request):
        # Minors ask for the band themselves (docs/age-bands.md); `hide_birth_year` refuses adults.
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
