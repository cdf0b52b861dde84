"""Deciding on a request to change a player's data: what it does to lists, then the deed. FIDE staff."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import RefusedError
from core.web.refusals import add_refusals
from desk.access import requires
from desk.players.change_decision_form import DecisionForm, labelled
from players.choices import RequestState
from players.models import ChangeRequest
from players.permissions import can_manage_players
from players.services.changes import refuse_change
from ratings.services.corrections.requests import effect_of, grant_change


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_manage_players)
def decide(request: HttpRequest, request_id: int) -> HttpResponse:
    """Show a request with what granting it does, and grant or refuse it."""
    related = ("player__federation", "federation", "asked_by", "decided_by")
    rows = ChangeRequest.objects.select_related(*related)
    found: ChangeRequest = get_object_or_404(rows, pk=min(request_id, 2**63 - 1))
    form = DecisionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            done = _decided(found, form, by=request.user)
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.info(request, _("The request is decided.") if done else _("Somebody decided before."))
            return redirect("people:changes")
    context = {"found": found, "form": form, "is_open": found.state == RequestState.WAITING}
    return render(request, "desk/players/change_decide.html", {**context, **_effect(found)})


def _decided(found: ChangeRequest, form: DecisionForm, *, by: Any) -> bool:
    reason, at = form.cleaned_data["reason"], timezone.now()
    if form.cleaned_data["decision"] == "grant":
        return grant_change(found, reason=reason, by=by, at=at)
    return refuse_change(found, answer=reason, by=by, at=at)


def _effect(found: ChangeRequest) -> dict[str, Any]:
    """Return the fields with both values, the differences on lists, or why nothing would change."""
    if found.state != RequestState.WAITING:
        return {}
    try:
        effect = effect_of(found, at=timezone.now())
    except RefusedError as error:
        return {"against": [refusal.message for refusal in error.refusals]}
    return {"effect": effect, "changes": labelled(effect.changes)}
