"""The officer's answer to what the QC asks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.web.typed import typed
from desk.access import requires_for_tournament
from desk.case_forms import AnswerForm
from tournaments.errors import RefusedError
from tournaments.models import Tournament
from tournaments.permissions import can_answer
from tournaments.registration_form import add_refusals
from tournaments.services.information import answer_request


@require_http_methods(["GET", "HEAD", "POST"])
@requires_for_tournament(can_answer)
def answer(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what the QC asks and asked, and take the answer."""
    form = AnswerForm(request.POST or typed(request))
    rows = list(tournament.information_requests.select_related("asked_by", "answered_by"))
    waiting = next((row for row in rows if row.answered_at is None), None)
    if request.method == "POST" and form.is_valid() and waiting is not None:
        try:
            answer_request(waiting, form.cleaned_data["answer"], by=request.user, at=timezone.now())
        except RefusedError as error:
            add_refusals(form, error.refusals)
        else:
            messages.success(request, _("The answer is with the QC."))
            return redirect("desk:tournament", tournament.event_id)
    context = {
        "form": form,
        "tournament": tournament,
        "waiting": waiting,
        "information": rows,
        "today": timezone.now().date(),
    }
    return render(request, "desk/tournaments/answer.html", context)
