"""Applications for FIDE IDs, decided by FIDE staff."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.html.refusals import refusals_in_messages
from core.web.typed_forms import restore_row_forms
from desk.access import requires
from desk.decisions import show_decided, typed_reason
from players.choices import CaseState
from players.permissions import applications_of, can_register, federations_of, is_staff
from players.services.cases import cancel
from players.services.cases import decide as decide_case

SHOWN = 100


@require_safe
@requires(can_register)
def applications(request: HttpRequest) -> HttpResponse:
    """Show the FIDE ID applications, open ones first."""
    rows = applications_of(request.user).select_related("federation", "likeness", "asked_by")
    waiting = rows.filter(state=CaseState.WAITING)[:SHOWN]
    # Each row is a form of its own, and its reason is kept over a sign-in by its address.
    typed = restore_row_forms(request, "people:decide", [one.pk for one in waiting])
    context = {
        "waiting": [(one, typed.get(one.pk)) for one in waiting],
        "decided": rows.exclude(state=CaseState.WAITING).order_by("-decided_at")[:SHOWN],
        "may_decide": is_staff(request.user),
        "own": federations_of(request.user),
    }
    return render(request, "desk/players/applications.html", context)


@require_POST
@requires(is_staff)
def decide(request: HttpRequest, application_id: int) -> HttpResponse:
    """Approve an application, or refuse it with a reason."""
    application = get_object_or_404(applications_of(request.user), pk=application_id)
    state = CaseState.APPROVED if request.POST.get("decision") == "approve" else CaseState.REFUSED
    with refusals_in_messages(request):
        done = decide_case(
            application, state, answer=typed_reason(request), by=request.user, at=timezone.now()
        )
        show_decided(request, _("The application was decided."), done=done)
    return redirect("people:applications")


@require_POST
@requires(can_register)
def withdraw(request: HttpRequest, application_id: int) -> HttpResponse:
    """Cancel an application of the own federation."""
    application = get_object_or_404(applications_of(request.user), pk=application_id)
    with refusals_in_messages(request):
        done = cancel(application, by=request.user, at=timezone.now())
        show_decided(request, _("The application was cancelled."), done=done)
    return redirect("people:applications")
