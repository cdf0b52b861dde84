"""The claim of a player record by an account."""

from __future__ import annotations

from django.contrib import messages
from django.forms import HiddenInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.html.fields import TextField
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.claims import CLAIM_OPEN, ask_claim, end_own_claim, open_claim
from players.models import Player
from players.permissions import has_account
from ratings.player_field import FormWithPlayer, PlayerField

MAX_DIGITS = 10


class ClaimForm(FormWithPlayer):
    """A claim of a player record."""

    player = PlayerField(label=_l("Name or FIDE ID"))
    reason = TextField(
        label=_l("Reason"),
        max_length=400,
        error_messages={"required": _l("Enter how the rating officer knows you.")},
        help_text=_l("How the rating officer knows that it is you, for example your club."),
    )
    evidence = TextField(
        label=_l("Evidence"),
        max_length=400,
        required=False,
        rows=2,
        help_text=_l("A document and where it can be seen. Do not copy its numbers here."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(has_account)
def claim(request: HttpRequest) -> HttpResponse:
    """Claim a player record."""
    if request.method != "POST" and open_claim(request.user):
        messages.info(request, CLAIM_OPEN)
        return redirect("chess:mine")
    # The page of a player links here with the FIDE ID.
    player = player_with(request.GET.get("player", ""))
    form = form_of(request, ClaimForm, user=request.user, initial={"player": player and player.pk})
    if player is not None:
        form.fields["player"].widget = HiddenInput()
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        with refusals_shown(form):
            ask_claim(values.pop("player"), **values, by=request.user, at=timezone.now())
            messages.success(request, _("The claim was sent. You get an email with the decision."))
            return redirect("chess:mine")
    return render(request, "desk/chess/claim.html", {"form": form, "player": player})


def player_with(fide_id: str) -> Player | None:
    """Return the player whose FIDE ID an address has; its text may be anything."""
    is_number = fide_id.isdecimal() and len(fide_id) <= MAX_DIGITS
    return Player.objects.filter(pk=int(fide_id), merged_into=None).first() if is_number else None


@require_POST
@requires(has_account)
def end(request: HttpRequest) -> HttpResponse:
    """Cancel a claim, or end a confirmed one."""
    with refusals_in_messages(request):
        if end_own_claim(request.user, at=timezone.now()):
            messages.info(request, _("Your claim has ended."))
    return redirect("chess:mine")
