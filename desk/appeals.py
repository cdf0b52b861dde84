"""Appeals: the officer lodges one, FIDE Council decides, and both read its files (FIDE R&B 2024, 0.4)."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from core.web.typed import typed
from desk.access import requires, requires_for_tournament
from desk.appeal_forms import AppealForm, OutcomeForm
from desk.tournaments.uploads import bounded_upload, too_large_field
from tournaments import regulations
from tournaments.choices import AppealState
from tournaments.errors import RefusedError
from tournaments.models import Appeal, Tournament
from tournaments.permissions import can_appeal, can_decide_appeals, can_see_appeals, can_see_drafts
from tournaments.queries.appeals import appeals_in, newest_appeal
from tournaments.registration_form import add_refusals
from tournaments.services.appeals import (
    communicated_on,
    decide_appeal,
    decision_not_to_rate,
    lodge_appeal,
    lodging_refusals,
)


@require_safe
@requires(can_see_appeals)
def queue(request: HttpRequest) -> HttpResponse:
    """Show the appeals, those that wait first, the oldest at the head."""
    context = {
        "waiting": appeals_in([AppealState.OPEN]).order_by("lodged_at", "pk"),
        "decided": appeals_in([AppealState.UPHELD, AppealState.DISMISSED]).order_by("-decided_at", "-pk")[
            :50
        ],
        "may_decide": can_decide_appeals(request.user),
    }
    return render(request, "desk/appeals/appeals.html", context)


@bounded_upload
@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_appeal)
def lodge(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the clock of the appeal and its form, and lodge it."""
    now = timezone.now()
    initial = {"organiser": tournament.organiser}
    form = AppealForm(typed(request), initial=initial)
    if request.method == "POST":
        form = AppealForm(request.POST, request.FILES, too_large=too_large_field(request))
        if form.is_valid():
            try:
                lodge_appeal(tournament, form.request(), by=request.user, at=now)
            except RefusedError as error:
                add_refusals(form, error.refusals)
            else:
                messages.success(request, _("The appeal is lodged; FIDE Council decides."))
                return redirect("desk:appeal", tournament.event_id)
    decision = decision_not_to_rate(tournament)
    context = {
        "form": form,
        "tournament": tournament,
        "decision": decision,
        "today": now.date(),
        "appeal_ends": regulations.appeal_ends(communicated_on(decision)) if decision else None,
        "refusals": [*lodging_refusals(tournament, decision, on=now.date())],
        "appeal": newest_appeal(tournament),
    }
    return render(request, "desk/appeals/lodge.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_see_drafts)
def appeal(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the newest appeal of a tournament with its files; FIDE Council decides on it here."""
    found = newest_appeal(tournament)
    if found is None:
        raise Http404(_("No appeal was lodged."))
    if request.method == "POST" and not can_decide_appeals(request.user):
        raise PermissionDenied
    form = OutcomeForm(request.POST or typed(request))
    if request.method == "POST" and form.is_valid():
        outcome = AppealState(form.cleaned_data["outcome"])
        try:
            decide_appeal(
                found, outcome, reason=form.cleaned_data["reason"], by=request.user, at=timezone.now()
            )
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("Decided: %(state)s.") % {"state": found.get_state_display()})
            return redirect("desk:appeals")
    context = {
        "tournament": tournament,
        "appeal": found,
        "files": found.files.defer("content"),
        "form": form,
        "may_decide": can_decide_appeals(request.user) and found.state == AppealState.OPEN,
    }
    return render(request, "desk/appeals/appeal.html", context)


@require_safe
@requires_for_tournament(can_see_drafts)
def download(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Give a file of the appeal as it was lodged: always to be saved, never to be shown."""
    found: Appeal | None = newest_appeal(tournament)
    if found is None:
        raise Http404(_("No appeal was lodged."))
    file = get_object_or_404(found.files, number=min(number, 32_767))
    disposition = content_disposition_header(as_attachment=True, filename=file.file_name)
    return HttpResponse(
        bytes(file.content),
        content_type="application/octet-stream",
        headers={"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"},
    )
