"""Requests for transfers of players between federations."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import SortedChoiceField
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.models import Federation
from players.permissions import can_register
from players.transfers import ask_transfer
from ratings.player_field import FormWithPlayer, PlayerField

SHOWN = 100


class TransferForm(FormWithPlayer):
    """A player and the new federation."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))
    to = SortedChoiceField(Federation.objects.order_by(), label=_l("New federation"))


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def transfers(request: HttpRequest) -> HttpResponse:
    """Request a transfer from or to a federation of the user."""
    form = form_of(request, TransferForm, user=request.user)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with refusals_shown(form):
            made = ask_transfer(data["player"], to=data["to"], by=request.user, at=timezone.now())
            messages.success(request, _("The other federation was asked to approve the transfer."))
            return redirect("desk:case", made.number)
    return render(request, "desk/players/transfers.html", {"form": form})
