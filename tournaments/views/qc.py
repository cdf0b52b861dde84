"""The QC's queue and its decisions."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournaments.errors import RefusedError
from tournaments.forms.decisions import DecisionForm
from tournaments.forms.registration import add_refusals
from tournaments.models import Tournament
from tournaments.permissions import can_decide, can_decide_on, can_see_queue
from tournaments.queries.desk import qc_queue
from tournaments.services.decisions import decide, possible_actions
from tournaments.views.access import requires, requires_for_tournament

QUEUE_SHOWN = 200


@require_safe
@requires(can_see_queue)
def queue(request: HttpRequest) -> HttpResponse:
    """Show what waits for the QC, the tournament that starts first at the head."""
    context = {
        "queue": qc_queue()[:QUEUE_SHOWN],
        "today": timezone.now().date(),
        "may_decide": can_decide(request.user),
    }
    return render(request, "desk/queue.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_decide_on)
def decision(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show a registration with what speaks about it, and take the decision."""
    form = DecisionForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            decide(
                tournament,
                form.action(),
                reason=form.cleaned_data["reason"],
                by=request.user,
                at=timezone.now(),
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            message = _("Decided: %(name)s is %(state)s.")
            state = tournament.get_registration_display()
            messages.success(request, message % {"name": tournament.name, "state": state})
            return redirect("desk:qc")
    context = {
        "form": form,
        "tournament": tournament,
        "today": timezone.now().date(),
        "trail": tournament.trail.select_related("by"),
        "is_possible": bool(possible_actions(tournament)),
    }
    return render(request, "desk/decision.html", context)
