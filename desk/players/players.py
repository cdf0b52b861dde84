"""New players, transfers and merges at the desk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import RefusedError
from core.web.refusals import add_refusals
from core.web.typed import typed
from desk.access import requires
from desk.players.forms import MergeForm, NewPlayerForm, TransferForm
from players.choices import ApplicationState
from players.models import Application, Player
from players.permissions import (
    applications_of,
    can_answer_transfer,
    can_manage_players,
    can_register_players,
    can_withdraw_transfer,
    transfers_of,
)
from players.services import registration, transfers
from players.services.merging import foresee_merging, merge_players

SHOWN = 100


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_players)
def register(request: HttpRequest) -> HttpResponse:
    """Register a new player; who is alike is shown before an ID is given."""
    form = NewPlayerForm(request.POST or typed(request), user=request.user)
    context: dict[str, Any] = {"form": form, "alike": []}
    if request.method == "POST" and form.is_valid():
        new = registration.NewPlayer(**form.cleaned_data)
        is_other = request.POST.get("is_another_person") == "on"
        try:
            outcome = registration.register_player(
                new, is_another_person=is_other, by=request.user, at=timezone.now()
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            if not isinstance(outcome, list):
                return _registered(request, outcome)
            context["alike"] = outcome
    return render(request, "desk/players/register.html", context)


def _registered(request: HttpRequest, outcome: Player | Application) -> HttpResponse:
    if isinstance(outcome, Player):
        message = _("%(name)s has the FIDE ID %(id)s.")
        messages.success(request, message % {"name": outcome.name, "id": outcome.pk})
        return redirect("people:register")
    messages.info(request, _("FIDE staff look at it: somebody very much alike has an ID already."))
    return redirect("people:applications")


@require_safe
@requires(can_register_players)
def applications(request: HttpRequest) -> HttpResponse:
    """Show the applications for a FIDE ID, those that wait first."""
    rows = applications_of(request.user).select_related("federation", "likeness", "applied_by")
    context = {
        "waiting": rows.filter(state=ApplicationState.WAITING)[:SHOWN],
        "decided": rows.exclude(state=ApplicationState.WAITING).order_by("-decided_at")[:SHOWN],
        "may_decide": can_manage_players(request.user),
    }
    return render(request, "desk/players/applications.html", context)


@require_POST
@requires(can_manage_players)
def decide(request: HttpRequest, application_id: int) -> HttpResponse:
    """Give an applicant an ID, or refuse with a reason."""
    application = get_object_or_404(applications_of(request.user), pk=application_id)
    now = timezone.now()
    try:
        if request.POST.get("decision") == "approve":
            player = registration.approve(application, by=request.user, at=now)
            done = player is not None
        else:
            reason = request.POST.get("reason", "").replace("\0", "")[:400]
            done = registration.refuse(application, reason=reason, by=request.user, at=now)
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        text = _("The application is decided.") if done else _("Somebody decided before.")
        messages.info(request, text)
    return redirect("people:applications")


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_players)
def transfer_list(request: HttpRequest) -> HttpResponse:
    """Show the transfers of the person's federations, and ask for one."""
    form = TransferForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            transfers.ask_transfer(data["player"], to=data["to"], by=request.user, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("The other federation is asked to agree."))
            return redirect("people:transfers")
    rows = transfers_of(request.user).select_related("player", "from_federation", "to_federation")[:SHOWN]
    shown = [
        (row, can_answer_transfer(request.user, row), can_withdraw_transfer(request.user, row))
        for row in rows
    ]
    return render(request, "desk/players/transfers.html", {"form": form, "rows": shown})


@require_POST
@requires(can_register_players)
def answer_transfer(request: HttpRequest, transfer_id: int) -> HttpResponse:
    """Agree to a transfer, refuse it with a reason, or take it back."""
    transfer = get_object_or_404(transfers_of(request.user), pk=transfer_id)
    answer = request.POST.get("answer")
    who: dict[str, Any] = {"by": request.user, "at": timezone.now()}
    try:
        if answer == "agree":
            done = transfers.agree(transfer, **who)
        elif answer == "withdraw":
            done = transfers.withdraw_transfer(transfer, **who)
        else:
            reason = request.POST.get("reason", "").replace("\0", "")[:400]
            done = transfers.refuse_transfer(transfer, reason=reason, **who)
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        messages.info(request, _("The transfer is decided.") if done else _("Somebody decided before."))
    return redirect("people:transfers")


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_players)
def merge(request: HttpRequest) -> HttpResponse:
    """Merge two FIDE IDs of one person; what it does is shown first."""
    form = MergeForm(request.POST or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        player, into = form.cleaned_data["player"], form.cleaned_data["into"]
        try:
            if request.POST.get("step") == "merge":
                reason = form.cleaned_data["reason"]
                merge_players(player, into=into, reason=reason, by=request.user, at=timezone.now())
                message = _("%(old)s leads on to %(new)s.")
                messages.success(request, message % {"old": player.pk, "new": into.pk})
                return redirect("people:merge")
            found = foresee_merging(player, into=into)
            is_possible = not any(item.is_obstacle for item in found)
            context |= {"going": player, "staying": into, "found": found, "is_possible": is_possible}
        except RefusedError as error:
            add_refusals(form, error.refusals)
    return render(request, "desk/players/merge.html", context)
