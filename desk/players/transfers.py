"""Transfers of players between federations: requests and answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.html.fields import SortedChoiceField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.typed_forms import form_of, restore_row_forms
from desk.access import requires
from desk.decisions import show_decided, typed_reason
from players.choices import CaseState
from players.models import Federation
from players.permissions import can_answer_transfer, can_register, can_withdraw_transfer, transfers_of
from players.player_field import PlayerField
from players.services.cases import cancel, decide
from players.services.transfers import ask_transfer

SHOWN = 100


class TransferForm(PortalForm):
    """A player and the new federation."""

    player = PlayerField(label=_l("Name or FIDE ID of the player"))
    to = SortedChoiceField(Federation.objects.order_by(), label=_l("New federation"))


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def transfers(request: HttpRequest) -> HttpResponse:
    """Show the transfers of the user's federations, and request a transfer."""
    form = form_of(request, TransferForm)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        with refusals_shown(form):
            ask_transfer(data["player"], to=data["to"], by=request.user, at=timezone.now())
            messages.success(request, _("The other federation was asked to approve the transfer."))
            return redirect("people:transfers")
    rows = transfers_of(request.user).select_related("player", "from_federation", "to_federation")[:SHOWN]
    typed = restore_row_forms(request, "people:answer-transfer", [row.pk for row in rows])
    shown = [
        (
            row,
            can_answer_transfer(request.user, row),
            can_withdraw_transfer(request.user, row),
            typed.get(row.pk),
        )
        for row in rows
    ]
    return render(request, "desk/players/transfers.html", {"form": form, "rows": shown})


@require_POST
@requires(can_register)
def answer(request: HttpRequest, transfer_id: int) -> HttpResponse:
    """Approve a transfer, refuse it with a reason, or cancel it."""
    transfer = get_object_or_404(transfers_of(request.user), pk=transfer_id)
    answer = request.POST.get("answer")
    who: dict[str, Any] = {"by": request.user, "at": timezone.now()}
    with refusals_in_messages(request):
        if answer == "withdraw":
            done = cancel(transfer, **who)
        else:
            state = CaseState.APPROVED if answer == "agree" else CaseState.REFUSED
            done = decide(transfer, state, answer=typed_reason(request), **who)
        show_decided(request, _("The transfer was decided."), done=done)
    return redirect("people:transfers")
