"""The objections of a player to the own result in a tournament."""

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
from players.claims import claimed_player
from players.permissions import has_account
from ratings.records import former_ids
from tournaments.choices import ReportState
from tournaments.models import Objection, Participant
from tournaments.objections import (
    DAYS_TO_ANSWER,
    MAX_LETTERS,
    is_open_to_objections,
    submit_objection,
)

LARGE = ("report__content", "report__pgn", "report__findings", "report__amendments")


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
    """Show the user's objections to their own result in a tournament, and submit one."""
    participant = _own_participant_or_404(request, event_id)
    form = form_of(request, ObjectionForm)
    if request.method == "POST" and form.is_valid():
        with refusals_shown(form):
            submit_objection(participant, **form.cleaned_data, by=request.user, at=timezone.now())
            messages.success(request, _("The objection was sent. You get an email with the reply."))
            return redirect("chess:result", event_id)
    tournament = participant.report.tournament
    objections = Objection.objects.filter(tournament=tournament, asked_by=request.user.pk)
    context = {
        "participant": participant,
        "tournament": tournament,
        "objections": objections.order_by("-asked_at", "-pk"),
        "may_object": is_open_to_objections(participant, at=timezone.now()),
        "days_to_answer": DAYS_TO_ANSWER,
        "today": timezone.now().date(),
        "form": form,
    }
    return render(request, "desk/chess/tournament.html", context)


def _own_participant_or_404(request: HttpRequest, event_id: str) -> Participant:
    player = claimed_player(request.user)
    # PostgreSQL refuses the character in a query.
    if player is None or "\x00" in event_id:
        raise Http404
    # Reports keep the ID under which somebody played (ADR 14).
    rows = Participant.objects.filter(player__in=(player.pk, *former_ids(player.pk)))
    rows = rows.filter(report__state=ReportState.ACCEPTED, report__tournament__event_id=event_id)
    rows = rows.select_related("player", "report__tournament__federation").defer(*LARGE)
    # Who played under two IDs has two lines; an objection names the round, not the line.
    found = rows.order_by("number").first()
    if found is None:
        raise Http404
    return found
