"""The rating officer's reply to an information request of the QC."""

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
from tournaments.models import InformationRequest, Tournament
from tournaments.permissions import can_report
from tournaments.services.information_requests import answer_request

MAX_LETTERS = 4000


class AnswerForm(PortalForm):
    """The officer's reply."""

    answer = TextField(
        label=_l("Reply"),
        max_length=MAX_LETTERS,
        rows=6,
        help_text=_l("The QC sees it. It is saved permanently and cannot be changed."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_report)
def answer(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the information requests of the QC, and reply to the open one."""
    form = form_of(request, AnswerForm)
    rows = list(
        InformationRequest.objects.filter(tournament=tournament).select_related("asked_by", "decided_by")
    )
    waiting = next((row for row in rows if row.is_open), None)
    # A colleague may have replied while the form was open: the page then shows that reply.
    if request.method == "POST" and form.is_valid() and waiting is not None:
        with refusals_shown(form):
            answer_request(waiting, form.cleaned_data["answer"], by=request.user, at=timezone.now())
            messages.success(request, _("The reply was sent to the QC."))
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "waiting": waiting,
        "information": rows,
        "today": timezone.now().date(),
    }
    return render(request, "desk/tournaments/answer.html", context)
