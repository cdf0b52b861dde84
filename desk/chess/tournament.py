"""The user's own result in a tournament, with the objections to it."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.views.decorators.http import require_http_methods

from core.html.fields import TextField
from core.html.forms import PortalForm
from core.html.refusals import refusals_shown
from core.web.typed_forms import form_of
from desk.access import requires
from players.permissions import has_account
from players.services.claims import (
    claimed_player,
)
from ratings.queries.own_results import games_of_result, own_result
from ratings.queries.played import PlayedEvent
from tournaments.models import Objection
from tournaments.services.objections import (
    DAYS_TO_ANSWER,
    MAX_LETTERS,
    is_open_to_objections,
    submit_objection,
)


class ObjectionForm(PortalForm):
    """An objection to one of the user's own results."""

    round_number = forms.IntegerField(
        label=_l("Round"),
        required=False,
        min_value=1,
        max_value=999,
        help_text=_l("Leave empty for the result as a whole."),
    )
    statement = TextField(
        label=_l("What is wrong"),
        max_length=MAX_LETTERS,
        rows=4,
        help_text=_l("The rating officer and the chief arbiter see it."),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@requires(has_account)
def result(request: HttpRequest, event_id: str) -> HttpResponse:
    """Show the user's own games and rating change in a tournament, and submit an objection."""
    found = _own_result_or_404(request, event_id)
    form = form_of(request, ObjectionForm)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            submit_objection(found.participant, **form.cleaned_data, by=request.user, at=timezone.now())
            messages.success(request, _("The objection was sent. You get an email with the reply."))
            return redirect("chess:result", event_id)
    objections = Objection.objects.filter(tournament=found.tournament, asked_by=request.user.pk)
    context = {
        "result": found,
        "games": games_of_result(found),
        "objections": objections.order_by("-asked_at", "-pk"),
        "may_object": is_open_to_objections(found.participant, at=timezone.now()),
        "days_to_answer": DAYS_TO_ANSWER,
        "today": timezone.now().date(),
        "form": form,
    }
    return render(request, "desk/chess/tournament.html", context)


def _own_result_or_404(request: HttpRequest, event_id: str) -> PlayedEvent:
    player = claimed_player(request.user)
    # PostgreSQL refuses the character in a query.
    found = own_result(player, event_id) if player and "\x00" not in event_id else None
    if found is None:
        raise Http404
    return found
