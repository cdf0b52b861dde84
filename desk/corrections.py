"""A correction of a result that was requested: its effect, the decision on it, and how it is cancelled."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import RefusedError
from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_in_messages, refusals_shown
from core.web.heavy_work import heavy_work
from core.web.typed_forms import form_of
from desk.access import requires
from desk.decisions import show_decided
from desk.tournaments.results import CHOICES, OTHERS, frame_of, lists_taking
from players.choices import CaseState
from players.permissions import can_use_desk
from players.services.cases import cancel, decide
from ratings.services.corrections.result_preview import effect_of
from ratings.services.corrections.results import (
    MAX_LETTERS,
    CorrectedReport,
    decision_of,
    source_for,
)
from tournaments.models import ResultCorrection
from tournaments.permissions import can_decide_correction, corrections_for
from tournaments.queries.crosstable import boards_of
from tournaments.services.changed_meanwhile import seen_of
from tournaments.trf import read_report


class DecisionForm(PortalForm):
    """The decision on a requested correction, with its reason."""

    decision = forms.ChoiceField(
        label=_l("Decision"),
        choices=[("grant", _l("Correct result")), ("refuse", _l("Refuse the request"))],
        widget=forms.RadioSelect,
    )
    reason = TextField(
        label=_l("Reason"),
        max_length=MAX_LETTERS,
        help_text=_l("Public after the correction. Do not name other people."),
    )
    seen = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)


@require_http_methods(["GET", "HEAD", "POST"])
@requires(can_use_desk)
def correction(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a correction of a result with its effect; decide on one that is requested."""
    rows = corrections_for(request.user).select_related(
        "tournament__federation", "report", "asked_by", "decided_by"
    )
    found: ResultCorrection = get_object_or_404(rows.select_related("player"), pk=pk)
    is_open, may_decide = found.state == CaseState.WAITING, can_decide_correction(request.user, found)
    if request.method == "POST" and not may_decide:
        raise PermissionDenied
    form = None
    if is_open and may_decide:
        # A granted request is published with a reason: that of the request is proposed.
        initial = {"reason": found.reason, "seen": seen_of(found.tournament), "decision": "grant"}
        form = form_of(request, DecisionForm, initial=initial)
        if request.method == "POST" and form.is_valid():
            with refusals_shown(form):
                is_granted = form.cleaned_data["decision"] == "grant"
                state = CaseState.APPROVED if is_granted else CaseState.REFUSED
                answer, seen = form.cleaned_data["reason"], form.cleaned_data["seen"]
                done = decide(found, state, answer=answer, by=request.user, at=timezone.now(), seen=seen)
                message = _("The result was corrected.") if is_granted else _("The request was refused.")
                show_decided(request, message, done=done)
                return redirect("desk:correction", found.pk)
    # The version that was corrected, not the one that counts now: its starting ranks name the game.
    read = read_report(bytes(found.report.content))
    board = next((one for one in boards_of(read, found.round) if one.pairing.white == found.white), None)
    context = {
        **frame_of(request, found.tournament),
        "correction": found,
        "board": board,
        "form": form,
        "may_cancel": is_open and found.asked_by_id == request.user.pk,
        "now": CHOICES.get(found.result_before, ("–", ""))[0],
        "then": CHOICES.get(found.verdict, ("", ""))[0],
        "other": OTHERS.get(found.verdict, ""),
        "opponent": read.by_number().get(found.other or 0),
    }
    source = source_for(request.user, found.tournament)
    if is_open and source is not None:
        context |= {
            "source": source,
            **_effect(request, source, found),
            **lists_taking(source, context["today"]),
        }
    return render(request, "desk/correction.html", context)


def _effect(request: HttpRequest, source: CorrectedReport, found: ResultCorrection) -> dict[str, Any]:
    """Return the effect of a requested correction on the report as it is now, or why it cannot be made."""
    read = read_report(bytes(source.report.content))
    # The effect rates the tournament with both results: only a few such pages are made at once.
    with heavy_work(request):
        try:
            return {"effect": effect_of(source, read, decision_of(found), by=request.user, at=timezone.now())}
        except RefusedError as error:
            return {"refusals": error.refusals}


@require_POST
@requires(can_use_desk)
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel one's own request of a correction."""
    own = corrections_for(request.user).filter(asked_by=request.user.pk)
    found: ResultCorrection = get_object_or_404(own, pk=pk)
    with refusals_in_messages(request):
        if cancel(found, by=request.user, at=timezone.now()):
            messages.info(request, _("The request was cancelled."))
    return redirect("desk:correction", found.pk)
