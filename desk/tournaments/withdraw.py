"""Withdrawing a registration, or asking the QC to withdraw it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires_for_tournament
from ratings.lists import read_lists
from tournaments.changed_meanwhile import seen_of
from tournaments.choices import Action
from tournaments.models import Tournament
from tournaments.permissions import can_report
from tournaments.qc import possible_actions
from tournaments.registration_changes import withdraw_registration
from tournaments.requested_changes import waiting_request
from tournaments.states import progress_of


class WithdrawalForm(PortalForm):
    """The reason of a withdrawal, required."""

    reason = TextField(
        label=_l("Reason"),
        max_length=2000,
        rows=4,
        help_text=_l(
            "Saved permanently. The QC and FIDE staff see it. The public page only says that the registration was "
            "withdrawn."
        ),
        error_messages={"required": _l("Enter a reason. It is saved and the QC will see it.")},
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Withdraw the registration with a reason. From the first day on, ask the QC to withdraw it (D-81)."""
    now = timezone.now()
    form = form_of(request, WithdrawalForm)
    if request.method == "POST" and form.is_valid():
        values = {"reason": form.cleaned_data["reason"], "seen": request.POST.get("seen", "")}
        with refusals_shown(form):
            withdraw_registration(tournament, **values, by=request.user, at=now)
            is_asked = waiting_request(tournament) is not None
            done = _("The request was sent to the QC.") if is_asked else _("The registration was withdrawn.")
            messages.success(request, done)
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "today": now.date(),
        "seen": seen_of(tournament),
        "progress": progress_of(tournament, read_lists(), today=now.date()),
        "has_begun": tournament.has_begun(now.date()),
        "is_possible": Action.WITHDRAW in possible_actions(tournament) and not waiting_request(tournament),
    }
    return render(request, "desk/tournaments/withdraw.html", context)
