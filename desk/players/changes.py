"""Requests to change what is recorded of a player: asking, and where they stand."""

from __future__ import annotations

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
from desk.players.forms import ChangeForm
from players.choices import RequestState
from players.models import ChangeRequest
from players.permissions import (
    can_manage_players,
    can_register_players,
    can_withdraw_change,
    change_requests_of,
    federations_of,
    players_of,
)
from players.services.changes import Wanted, ask_change, withdraw_change

SHOWN = 100


@require_safe
@requires(can_register_players)
def changes(request: HttpRequest) -> HttpResponse:
    """Show the requests of the person's federations, those that wait first."""
    rows = change_requests_of(request.user).select_related("player", "federation", "asked_by", "decided_by")
    waiting = rows.filter(state=RequestState.WAITING)[:SHOWN]
    context = {
        "waiting": [(row, can_withdraw_change(request.user, row)) for row in waiting],
        "decided": rows.exclude(state=RequestState.WAITING).order_by("-decided_at", "-pk")[:SHOWN],
        "may_decide": can_manage_players(request.user),
        "may_ask": bool(federations_of(request.user)),
    }
    return render(request, "desk/players/changes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register_players)
def ask(request: HttpRequest) -> HttpResponse:
    """Ask for a change of a player's data, or report a death."""
    named = request.GET.get("player", "")
    form = ChangeForm(request.POST or typed(request), initial={"player": named[:10]})
    if request.method == "POST" and form.is_valid():
        values = dict(form.cleaned_data)
        player = values.pop("player")
        try:
            ask_change(player, Wanted(**values), by=request.user, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("FIDE staff decide; you are told by mail."))
            return redirect("people:changes")
    number = int(named) if named.isascii() and named.isdecimal() and len(named) < 10 else 0
    shown = players_of(request.user).filter(pk=number).select_related("federation").first()
    return render(request, "desk/players/change.html", {"form": form, "player": shown})


@require_POST
@requires(can_register_players)
def withdraw(request: HttpRequest, request_id: int) -> HttpResponse:
    """Take a request back."""
    found: ChangeRequest = get_object_or_404(change_requests_of(request.user), pk=min(request_id, 2**63 - 1))
    try:
        done = withdraw_change(found, by=request.user, at=timezone.now())
    except RefusedError as error:
        messages.error(request, str(error))
    else:
        messages.info(request, _("The request is taken back.") if done else _("Somebody decided before."))
    return redirect("people:changes")
