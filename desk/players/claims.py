"""Claims of player records: decided by an officer of the player's federation, and ended."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_safe

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.paging import Keyset
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from desk.decisions import show_decided
from players.choices import OPEN_CLAIMS, CaseState
from players.models import Claim
from players.permissions import can_decide_claim, can_register, claims_of
from players.services.cases import decide as decide_case
from players.services.claims import revoke_claim
from ratings.queries.own_results import own_results
from tournaments.permissions import can_correct_results

IN_ORDER = Keyset(("asked_at", "pk"))
MAX_SHOWN = 50
# So many tournaments of the player are offered for a correction beside a claim.
MAX_RESULTS = 5


class DecisionForm(PortalForm):
    """The decision on an open claim, or the end of a confirmed one, with its reason."""

    decision = forms.ChoiceField(label=_l("Decision"), widget=forms.RadioSelect)
    reason = TextField(
        label=_l("Reason"),
        max_length=400,
        help_text=_l("The player sees it."),
    )

    def __init__(self, *args: Any, claim: Claim, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("grant", _("Confirm: the record belongs to this person")), ("refuse", _("Refuse"))]
        if claim.state == CaseState.APPROVED:
            choices = [("end", _("End the claim"))]
        self.fields["decision"].choices = choices  # type: ignore[attr-defined]


@require_safe
@requires(can_register)
def claims(request: HttpRequest) -> HttpResponse:
    """Show the open claims for player records of the user's federations, oldest first."""
    rows = (
        claims_of(request.user)
        .filter(state__in=OPEN_CLAIMS)
        .select_related("player", "asked_by", "decided_by")
    )
    # Apart from the pages: what waits must not be on the second one.
    waiting = rows.filter(state=CaseState.WAITING).order_by("asked_at", "pk")
    context = {
        "waiting": waiting[:MAX_SHOWN],
        "page": IN_ORDER.page(rows.filter(state=CaseState.APPROVED), request.GET, size=MAX_SHOWN),
    }
    return render(request, "desk/players/claims.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_register)
def decide(request: HttpRequest, claim_id: int) -> HttpResponse:
    """Show a claim beside the player record, and confirm, refuse or end it."""
    rows = claims_of(request.user).select_related("player__federation", "asked_by", "decided_by")
    found: Claim = get_object_or_404(rows, pk=claim_id)
    form = form_of(request, DecisionForm, claim=found)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            done = _decide(found, form, request)
            show_decided(request, _("The claim was decided."), done=done)
            return redirect("people:claims")
    context = {
        "found": found,
        "form": form,
        "is_own": found.asked_by_id == request.user.pk,
        "is_open": found.state in OPEN_CLAIMS and can_decide_claim(request.user, found),
        "others": Claim.objects.filter(player=found.player, state__in=OPEN_CLAIMS)
        .exclude(pk=found.pk)
        .count(),
        "results": [
            one.tournament
            for one in own_results(found.player)[:MAX_RESULTS]
            if can_correct_results(request.user, one.tournament)
        ],
    }
    return render(request, "desk/players/claim.html", context)


def _decide(found: Claim, form: DecisionForm, request: HttpRequest) -> bool:
    decision, reason = form.cleaned_data["decision"], form.cleaned_data["reason"]
    if decision == "end":
        return revoke_claim(found, reason=reason, by=request.user, at=timezone.now())
    state = CaseState.APPROVED if decision == "grant" else CaseState.REFUSED
    return decide_case(found, state, answer=reason, by=request.user, at=timezone.now())
